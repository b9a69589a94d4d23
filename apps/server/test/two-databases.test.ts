import { expect, test } from 'bun:test'
import { signatureOf } from './processor/given-processor.ts'
import { stripePayment } from './processor/stripe-events.ts'
import { cookieOf, unique } from './support/given.ts'
import { startWithTwoDatabases } from './support/two-databases.ts'

const { call, directory, shards } = await startWithTwoDatabases()

const PASSWORD = 'a long password'
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const SECRET = 'whsec_two_databases_and_one_service'

type Headers = Record<string, string>

const as = (headers: Headers) => {
  const send = async (method: string, path: string, body?: unknown, status = method === 'POST' ? 201 : 200) => {
    const answer = await call(method, path, body, headers)
    expect({ path, status: answer.status, error: answer.body?.error }).toEqual({ path, status, error: undefined })
    return answer.body
  }
  return send
}

const signUp = async (path: string, account: object) => {
  const { status, headers } = await call('POST', path, account)
  expect(status).toBe(200)
  return cookieOf(headers)
}

/** A workspace with a program, a partner, a link and a key, all through the API. */
const givenProgram = async (owner: ReturnType<typeof as>, name: string) => {
  const { data: workspace } = await owner('POST', '/api/workspaces', { name })
  const settings = { workspaceId: workspace.id, name, paymentTrackingMode: 's2s', reward: REWARD }
  const { data: program } = await owner('POST', '/api/programs', settings)
  const api = `/api/programs/${program.id}`
  const { data: partner } = await owner('POST', `${api}/partners`, {
    name: 'Maya',
    code: `code-${name}`,
    status: 'approved',
  })
  const { data: link } = await owner('POST', `${api}/links`, { partnerId: partner.id, aff: `maya-${name}` })
  const { data: key } = await owner('POST', `${api}/api-keys`)
  return {
    ...{ id: program.id as number, name, api, partner, link },
    keyed: as({ authorization: `Bearer ${key.key}` }),
  }
}
type Program = Awaited<ReturnType<typeof givenProgram>>

const click = (aff: string) =>
  call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${aff}` })

/** A visitor of the partner who signs up, buys for $100 and returns goods for $40. */
const sell = async ({ keyed }: Program, aff: string) => {
  const visit = await click(aff)
  expect(visit.status).toBe(200)
  const [customer_key, invoice_id] = [unique('customer'), unique('invoice')]
  await keyed('POST', '/api/v1/track/lead', { customer_key, click_id: visit.body.click_id }, 200)
  const sold = { customer_key, invoice_id, amount: 10_000, currency: 'USD' }
  expect(await keyed('POST', '/api/v1/track/sale', sold, 200)).toMatchObject({ attributed: true })
  await keyed('POST', '/api/v1/track/refund', { invoice_id, amount: 4_000, refund_id: unique('refund') }, 200)
}

const countIn = async ({ pool }: (typeof shards)[number], table: string) =>
  (await pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count

const idsIn = async ({ pool }: (typeof shards)[number], table: string): Promise<number[]> =>
  (await pool.query(`SELECT id FROM ${table}`)).rows.map(({ id }) => Number(id))

const ada = { name: 'Ada', email: 'ada@example.com', password: PASSWORD }
const cookie = await signUp('/api/auth/sign-up/email', ada)
const owner = as({ cookie })
const programs = [await givenProgram(owner, 'one'), await givenProgram(owner, 'two')] as const

test('clicks, leads, sales and refunds go to the database of their program', async () => {
  // Concurrent calls of one kind share a transaction, but never across databases. A partner's code works like a link.
  const affs = programs.flatMap((program) => [program.link.aff, program.link.aff, program.partner.code])
  await Promise.all(affs.map((aff, index) => sell(programs[index < 3 ? 0 : 1], aff)))
  expect((await click('nobody')).body.error.code).toBe('link_not_found')

  for (const shard of shards) {
    for (const table of ['leads', 'sales', 'commissions', 'refunds'])
      expect({ table, count: await countIn(shard, table) }).toEqual({ table, count: 3 })
    expect(await countIn(shard, 'programs')).toBe(1)
  }
  for (const table of ['programs', 'referral_links', 'audit_entries']) {
    const [first, second] = await Promise.all(shards.map((shard) => idsIn(shard, table)))
    expect({ table, shared: first?.filter((id) => second?.includes(id)) }).toEqual({ table, shared: [] })
  }
})

test('the name of a link is unique in all databases, and a partner code belongs to its first owner', async () => {
  const [one, two] = programs
  for (const aff of [one.link.aff, one.partner.code]) {
    const { status } = await call('POST', `${two.api}/links`, { partnerId: two.partner.id, aff }, { cookie })
    expect(status).toBe(409)
  }
})

test('a partner signs in once and sees their programs in both databases', async () => {
  const invite = async ({ api, partner }: Program) =>
    (await owner('POST', `${api}/partners/${partner.id}/invite`, { email: 'maya@example.com' })).data.url
      .split('/')
      .at(-1)
  const [first, second] = [await invite(programs[0]), await invite(programs[1])]
  const account = { name: 'Maya', password: PASSWORD }
  const maya = as({ cookie: await signUp(`/api/public/partner-invitations/${first}/sign-up`, account) })
  await maya('POST', `/api/portal/invitations/${second}/accept`, {}, 200)

  const ids = programs.map(({ id }) => id)
  expect(
    (await maya('GET', '/api/portal/programs')).data.map((row: Program & { programId: number }) => row.programId),
  ).toEqual(ids)
  expect((await maya('GET', '/api/me')).data.partnerOf.map((row: { programName: string }) => row.programName)).toEqual([
    'one',
    'two',
  ])
  const balances = (await maya('GET', '/api/portal/balances')).data
  expect(balances.map((row: { programId: number }) => row.programId)).toEqual(ids)
  for (const { id } of programs)
    for (const path of ['links', 'earnings', 'sales', 'payouts', 'overview', 'notifications'])
      expect((await maya('GET', `/api/portal/programs/${id}/${path}`)).data).toBeDefined()
})

test('the dashboard lists, pays and explains each program from its own database', async () => {
  expect((await owner('GET', '/api/programs?pageSize=1&page=2')).data).toMatchObject([{ id: programs[1].id }])
  expect((await owner('GET', '/api/me')).data.workspaces).toHaveLength(2)
  for (const { id, api, partner, keyed } of programs) {
    const { data: commissions } = await owner('GET', `${api}/commissions`)
    expect(commissions).toHaveLength(3)
    expect((await owner('GET', `${api}/partners`)).data).toMatchObject([{ id: partner.id, sales: 3 }])
    const { data: entries } = await owner('GET', `${api}/audit`)
    expect(entries.map((entry: { userName: string | null }) => entry.userName)).toContain('Ada')
    for (const path of [`/api/tracking/events/${id}`, `/api/tracking/status/${id}`, `${api}/customers`, `${api}/links`])
      expect((await owner('GET', path)).data).toBeDefined()

    const { data: payout } = await owner('POST', `${api}/payouts`)
    const { data: shown } = await owner('GET', `${api}/payouts/${payout.id}`)
    const [line] = shown.lines
    expect(line).toMatchObject({ partnerId: partner.id, amountCents: 1_800 })
    await owner('POST', `${api}/payouts/${payout.id}/lines/${line.id}`, { status: 'paid' }, 200)

    const { data: events } = await keyed('GET', '/api/v1/events?limit=100')
    const types = new Set(events.map((event: { type: string }) => event.type))
    for (const type of ['lead.created', 'sale.created', 'commission.created', 'payout.paid'])
      expect([...types]).toContain(type)
  }
})

test('a processor event goes to the database of its program', async () => {
  for (const [index, { id, api }] of programs.entries()) {
    await owner('PUT', `${api}/processor`, { webhookSecret: SECRET })
    const metadata = { program_id: String(id), service_customer_key: unique('customer') }
    const raw = stripePayment({ metadata }).intentSucceeded()
    const answer = await call('POST', `/api/v1/processor/webhook/${id}`, raw, {
      'stripe-signature': await signatureOf(JSON.stringify(raw), { secret: SECRET }),
    })
    expect(answer).toMatchObject({ status: 200, body: { received: true } })
    const shard = shards[index]
    if (shard) expect(await countIn(shard, 'processor_events')).toBe(1)
  }
  expect((await directory.pool.query('SELECT count(*)::int AS count FROM link_names')).rows).toEqual([{ count: 4 }])
})
