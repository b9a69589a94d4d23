import { afterEach, expect, test } from 'bun:test'
import { startSmtp } from '../support/smtp.ts'
import { givenReceiver } from '../webhooks/given-webhooks.ts'
import { ask, givenNodes, givenOwnerOn } from './given-nodes.ts'
import { afterwards, cleanUp, PATIENCE_MS, type Service, until } from './given-service.ts'
import { CALLERS, expectEveryCent, givenProgramOn, givenShoppers } from './given-shoppers.ts'

afterEach(cleanUp)

test('one of three nodes killed under load: only its own connections fail, and nothing is lost', async () => {
  const { DATABASE_URL, nodes } = await givenNodes(3)
  const program = await givenProgramOn(DATABASE_URL)
  const shoppers = givenShoppers([...nodes], program)
  await shoppers.runPhase()
  const before = { ...shoppers.refused }

  const [, killed] = nodes as [Service, Service, Service]
  const kill = async () => {
    await until(() => (shoppers.served.get(killed) ?? 0) > CALLERS)
    killed.kill('SIGKILL')
    shoppers.nodes.splice(shoppers.nodes.indexOf(killed), 1)
    await killed.ended()
  }
  await shoppers.runWhile(kill())
  await shoppers.runPhase()

  expect(shoppers.refused.calls).toBe(before.calls)
  // Calls in progress there, and calls sent before the balancer noticed.
  expect(shoppers.refused.connections - before.connections).toBeLessThanOrEqual(2 * CALLERS)
  for (const node of shoppers.nodes) expect(shoppers.served.get(node)).toBeGreaterThan(CALLERS)
  await expectEveryCent(program, shoppers)
})

type Trace = {
  resource: { attributes: { key: string; value: { stringValue?: string } }[] }
  scopeSpans: { spans: { name: string; startTimeUnixNano: string }[] }[]
}

/** Knows which node has run which job since when. */
const givenCollector = () => {
  const runs: { job: string; node: string | undefined; at: number }[] = []
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { resourceSpans } = (await request.json()) as { resourceSpans: Trace[] }
      for (const { resource, scopeSpans } of resourceSpans) {
        const node = resource.attributes.find(({ key }) => key === 'service.instance.id')?.value.stringValue
        for (const { name, startTimeUnixNano } of scopeSpans.flatMap(({ spans }) => spans))
          runs.push({ job: name, node, at: Number(startTimeUnixNano) / 1e6 })
      }
      return Response.json({})
    },
  })
  afterwards(() => server.stop(true))
  const nodesThatRan = (job: string, since: number) =>
    new Set(runs.filter((run) => run.job === job && run.at >= since).map(({ node }) => node)).size
  return { url: `http://127.0.0.1:${server.port}`, nodesThatRan }
}

type Program = Awaited<ReturnType<typeof givenOwnerOn>>

/** Commissions are payable without a hold period. */
const endHoldPeriods = ({ id, pool }: Program) =>
  pool.query(
    `INSERT INTO reward_terms (program_id, version, currency, lead_amount_cents, sale_percent_bps, sale_duration, hold_days, valid_from)
     SELECT program_id, 2, currency, lead_amount_cents, sale_percent_bps, sale_duration, 0, now() - interval '1 hour'
     FROM reward_terms WHERE program_id = $1`,
    [id],
  )

/** A draft is due since last week. */
const scheduleDraft = ({ id, pool }: Program) =>
  pool.query(
    `INSERT INTO payout_schedules (program_id, frequency, weekday, last_period, updated_at)
     VALUES ($1, 'weekly', 1, current_date - 8, now())`,
    [id],
  )

test('three nodes run every job, and each draft, email, seal and webhook is made once', async () => {
  const [smtp, collector] = [await startSmtp(), givenCollector()]
  const { DATABASE_URL, nodes } = await givenNodes(3, {
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SMTP_URL: smtp.mail.smtpUrl,
    MAIL_FROM: smtp.mail.from,
  })
  const [first] = nodes as [Service]
  const program = await givenOwnerOn(DATABASE_URL, first)
  const [receiver, ordered] = [givenReceiver(), givenReceiver()]
  for (const { url, stop } of [receiver, ordered]) {
    afterwards(() => stop())
    const call = { cookie: program.cookie, body: { url, events: ['*'], ordered: url === ordered.url } }
    expect((await ask(first, 'POST', `${program.api}/webhook-endpoints`, call)).status).toBe(201)
  }
  await endHoldPeriods(program)
  const shoppers = givenShoppers([...nodes], program)
  await shoppers.runPhase()
  await scheduleDraft(program)
  const everyNodeRuns = async (job: string) => {
    const since = Date.now()
    await until(() => collector.nodesThatRan(job, since) === nodes.length, 2 * PATIENCE_MS)
  }
  await Promise.all(['prepare payout drafts', 'seal the ledger', 'announce payable commissions'].map(everyNodeRuns))
  await everyNodeRuns('send notifications')

  const rowsOf = async (text: string) => (await program.pool.query(text)).rows
  await until(async () => (await rowsOf(`SELECT FROM webhook_deliveries WHERE state = 'pending'`)).length === 0)
  expect(await rowsOf('SELECT status FROM payout_drafts')).toEqual([{ status: 'open' }])
  expect(smtp.received.map(({ to }) => to)).toEqual([program.account.email])
  const [head] = await rowsOf('SELECT sequence::integer FROM outbox_heads')
  expect(receiver.received).toHaveLength(head?.sequence)
  expect(new Set(receiver.ids()).size).toBe(head?.sequence)
  expect(ordered.sequences()).toEqual(Array.from({ length: head?.sequence }, (_, index) => index + 1))
  for (const node of nodes) expect(node.complaints()).not.toMatch(/could not/)
  await expectEveryCent(program, shoppers)
}, 600_000)

test('rate limits count per node', async () => {
  const { nodes } = await givenNodes(2, { RATE_LIMITS: 'on' })
  const [first, second] = nodes as [Service, Service]
  const body = { email: 'nobody@example.com', password: 'wrong password' }
  const guess = async (node: Service) => (await ask(node, 'POST', '/api/auth/sign-in/email', { body })).status
  await until(async () => (await guess(first)) === 429)
  expect(await guess(second)).toBe(401)
})
