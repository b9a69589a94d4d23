import { describe, expect, test } from 'bun:test'
import { bulkResult, matchingIds } from '@tributary/contract'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { verifyProgram } from '../support/verify-program.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

type Caller = { call: (method: string, path: string, body?: object) => Promise<{ status: number; body: never }> }

const givenTeam = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const [member, viewer, stranger] = await Promise.all([givenUser(service), givenUser(service), givenUser(service)])
  await givenRole(service, program.workspaceId, member, 'member')
  await givenRole(service, program.workspaceId, viewer, 'viewer')
  const add = async (fields: object = {}) =>
    (await program.owner.call('POST', `${program.api}/partners`, { name: unique('Partner'), ...fields })).body.data.id
  return { ...program, member, viewer, stranger, add }
}

/** Calls that no one without the permission gets through. */
const expectGuarded = async (
  path: string,
  body: object,
  { viewer, stranger }: { viewer: Caller; stranger: Caller },
) => {
  expectRefusal(await service.call('POST', path, body), 401, 'unauthenticated')
  for (const caller of [viewer, stranger])
    expectRefusal((await caller.call('POST', path, body)) as never, 403, 'forbidden')
}

describe('the IDs of a filter', () => {
  test('are those that the list shows, at most 5,000', async () => {
    const { api, owner, viewer, stranger, add, id: programId, link } = await givenTeam()
    const pending = [await add(), await add({ email: `${unique('p')}@example.com` })]
    const ids = async (path: string) => matchingIds.parse((await viewer.call('GET', `${api}/${path}`)).body.data).ids
    expect(await ids('partners/ids?status=pending')).toEqual(pending)
    expect(await ids('partners/ids')).toEqual([link.partnerId, ...pending])
    expect(await ids(`links/ids?partnerId=${link.partnerId}`)).toEqual([link.id])
    expect(await ids('commissions/ids?state=review')).toEqual([])
    for (const path of ['partners/ids?status=lost', 'links/ids?partnerId=x', 'commissions/ids?state=x'])
      expectRefusal(await owner.call('GET', `${api}/${path}`), 400, 'invalid_request')
    for (const list of ['partners', 'links', 'commissions']) {
      expectRefusal(await service.call('GET', `${api}/${list}/ids`), 401, 'unauthenticated')
      expectRefusal(await stranger.call('GET', `${api}/${list}/ids`), 403, 'forbidden')
    }
    await service.pool.query(
      `INSERT INTO referral_links (program_id, aff, partner_id, created_at)
      SELECT $1::integer, 'many-' || $1::integer || '-' || n, $2::integer, now() FROM generate_series(1, 5000) n`,
      [programId, link.partnerId],
    )
    expectRefusal(await owner.call('GET', `${api}/links/ids`), 409, 'conflict')
    expect(await ids('links/ids?search=many')).toHaveLength(5_000)
  })
})

describe('partners in bulk', () => {
  test('are suspended and reinstated; the others are skipped with a reason', async () => {
    const { api, owner, member, viewer, stranger, add } = await givenTeam()
    const approved = [await add({ status: 'approved' }), await add({ status: 'approved' })]
    const pending = await add()
    const bulk = (user: typeof owner, body: object) => user.call('POST', `${api}/partners/bulk`, body)
    const statuses = async () => {
      const { body } = await owner.call('GET', `${api}/partners?sort=createdAt`)
      const all = body.data as { id: number; status: string }[]
      return [...approved, pending].map((id) => all.find((one) => one.id === id)?.status)
    }
    const request = { ids: [...approved, approved[0], pending, 999_999], action: 'suspend' }
    await expectGuarded(`${api}/partners/bulk`, request, { viewer, stranger } as never)
    const done = await bulk(member, request)
    expect(bulkResult.parse(done.body.data)).toEqual({
      done: 2,
      skipped: [
        { reason: 'pending', count: 1 },
        { reason: 'not found', count: 1 },
      ],
    })
    expect(await statuses()).toEqual(['suspended', 'suspended', 'pending'])
    expect((await bulk(member, { ...request, ids: approved })).body.data).toEqual({
      done: 0,
      skipped: [{ reason: 'already suspended', count: 2 }],
    })
    expectRefusal(await bulk(member, { ids: approved, action: 'reinstate' }), 403, 'forbidden')
    expect((await bulk(owner, { ids: approved, action: 'reinstate' })).body.data).toEqual({ done: 2, skipped: [] })
    expect(await statuses()).toEqual(['approved', 'approved', 'pending'])
    for (const wrong of [
      {},
      { ids: [], action: 'suspend' },
      { ids: ['x'], action: 'suspend' },
      { ids: Array.from({ length: 101 }, (_, index) => index + 1), action: 'suspend' },
      { ids: approved, action: 'delete' },
    ])
      expectRefusal(await bulk(owner, wrong), 400, 'invalid_request')
    const { rows } = await service.pool.query(
      `SELECT count(*)::int AS entries FROM audit_entries WHERE action = 'partner changed' AND subject = any($1)`,
      [approved.map((id) => `partner ${id}`)],
    )
    expect(rows).toEqual([{ entries: 4 }])
  })

  test('are invited by email, unless they can sign in or have no address', async () => {
    const { member, add, ...program } = await givenTeam()
    const { api } = program
    const email = `${unique('invited')}@example.com`
    const ids = [await add({ email }), await add(), program.link.partnerId]
    await givenPortal(service).givenPartner(program)
    const { body } = await member.call('POST', `${api}/partners/bulk`, { ids, action: 'invite' })
    expect(body.data).toEqual({
      done: 1,
      skipped: [
        { reason: 'no email address', count: 1 },
        { reason: 'already have a sign-in', count: 1 },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('invite/')
    expect(smtp.received.filter(({ to }) => to === email)).toHaveLength(1)
  })
})

describe('commissions in bulk', () => {
  test('are released, rejected and voided; the ledger stays consistent', async () => {
    const { member, viewer, stranger, ...program } = await givenTeam()
    const { api, owner } = program
    const { customer_key } = await givenSale(program, 1_000)
    const refunded = await givenSale(program, 1_000)
    await givenSale(program, 1_000)
    const { partnerId } = program.link
    const all = () => owner.call('GET', `${api}/commissions?sort=earnedAt`)
    await owner.call('PATCH', `${api}/partners/${partnerId}`, { status: 'suspended' })
    expect((await program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })).status).toBe(200)
    await owner.call('PATCH', `${api}/partners/${partnerId}`, { status: 'approved' })
    const bulk = (user: typeof owner, body: object) => user.call('POST', `${api}/commissions/bulk`, body)
    const rows: { id: number; state: string }[] = (await all()).body.data
    const ids = rows.map(({ id }) => id)
    const inReview = rows.filter(({ state }) => state === 'review').map(({ id }) => id)
    await program.refund({ invoice_id: refunded.invoice_id })
    const voiding = { ids, action: 'void', reason: 'Test orders' }
    await expectGuarded(`${api}/commissions/bulk`, voiding, { viewer, stranger } as never)
    expectRefusal(await bulk(member, voiding), 403, 'forbidden')
    for (const wrong of [
      { ids, action: 'void' },
      { ids, action: 'void', reason: 'x' },
      { ...voiding, action: 'pay' },
    ])
      expectRefusal(await bulk(owner, wrong), 400, 'invalid_request')
    const released = await bulk(owner, { ids, action: 'release', reason: 'Real customers' })
    expect(bulkResult.parse(released.body.data)).toEqual({
      done: inReview.length,
      skipped: [{ reason: 'not in review', count: ids.length - inReview.length }],
    })
    const [first, ...others] = ids
    expect((await bulk(owner, { ...voiding, ids: [first] })).body.data).toEqual({ done: 1, skipped: [] })
    expect((await bulk(owner, voiding)).body.data).toEqual({
      done: others.length - 1,
      skipped: [
        { reason: 'already voided', count: 1 },
        { reason: 'already reversed', count: 1 },
      ],
    })
    const states = (await all()).body.data.map(({ state }: { state: string }) => state)
    expect(new Set(states)).toEqual(new Set(['reversed']))
    const { differences } = await verifyProgram(service.db, { programId: program.id, sealedBefore: null })
    expect(differences).toEqual([])
  })
})

test('a partner of another program is not changed', async () => {
  const { api, owner } = await givenTeam()
  const other = await givenLink(service, (await givenPayingProgram(service, null)).id)
  const { body } = await owner.call('POST', `${api}/partners/bulk`, { ids: [other.partnerId], action: 'suspend' })
  expect(body.data).toEqual({ done: 0, skipped: [{ reason: 'not found', count: 1 }] })
})
