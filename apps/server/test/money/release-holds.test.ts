import { describe, expect, test } from 'bun:test'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)
const HELD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 30 }

const holdsOf = async ({ owner, api }: PayingProgram, query = '') =>
  (await owner.call('GET', `${api}/holds${query}`)).body.data
const release = ({ owner, api }: PayingProgram, body: object = {}) => owner.call('POST', `${api}/holds/release`, body)
const differencesIn = async ({ id: programId }: PayingProgram) =>
  (await verifyProgram(service.db, { programId, sealedBefore: null })).differences
const linesOf = async ({ owner, api, link }: PayingProgram) =>
  (await owner.call('GET', `${api}/partners/${link.partnerId}/ledger?sort=createdAt`)).body.data
const releasesInAudit = async ({ owner, api }: PayingProgram) =>
  (await owner.call('GET', `${api}/audit?search=released`)).body.data

/** A day in a time zone, such as 2026-12-18. */
const dayIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)

describe('the next payable amount', () => {
  test('is what the first day makes payable, in the time zone of the program and per currency', async () => {
    const program = await givenPayingProgram(service, HELD)
    await program.owner.call('PATCH', program.api, { timezone: 'Pacific/Kiritimati' })
    service.clock.stop()
    // Just after midnight in Kiritimati, while it is still the day before in UTC.
    const now = service.clock.now()
    const kiritimati = 14 * 3_600_000
    service.clock.advance(DAY_MS - ((now.getTime() + kiritimati) % DAY_MS) + 60_000)
    const soldAt = service.clock.now()
    await givenSale(program, 10_000)
    await givenSale(program, 4_700)
    await givenSale(program, 5_000, { currency: 'EUR' })
    service.clock.advance(2 * DAY_MS)
    await givenSale(program, 90_000)
    const on = dayIn('Pacific/Kiritimati', new Date(soldAt.getTime() + 30 * DAY_MS))
    expect(await holdsOf(program)).toEqual([
      { currency: 'EUR', commissions: 1, amountCents: 500, next: { on, amountCents: 500 } },
      { currency: 'USD', commissions: 3, amountCents: 10_470, next: { on, amountCents: 1_470 } },
    ])
    expect(await program.balance()).toMatchObject({ currency: 'EUR', nextPayable: { on, amountCents: 500 } })
    const partner = await givenPartner(program)
    const { balances } = (await partner.call('GET', `/api/portal/programs/${program.id}/overview`)).body.data
    expect(balances).toMatchObject([
      { currency: 'EUR', nextPayable: { on, amountCents: 500 } },
      { currency: 'USD', heldCents: 10_470, nextPayable: { on, amountCents: 1_470 } },
    ])
    const details = (await program.owner.call('GET', `${program.api}/partners/${program.link.partnerId}`)).body.data
    expect(details.balances[1].nextPayable).toEqual({ on, amountCents: 1_470 })
  })

  test('leaves out what was refunded, and is null for a partner who is not approved', async () => {
    const program = await givenPayingProgram(service, HELD)
    const { invoice_id } = await givenSale(program, 10_000)
    service.clock.advance(DAY_MS)
    await givenSale(program, 20_000)
    const [{ next: first }] = await holdsOf(program)
    expect(first.amountCents).toBe(1_000)
    await program.refund({ invoice_id })
    expect((await program.balance()).nextPayable.amountCents).toBe(2_000)
    await program.owner.call('PATCH', `${program.api}/partners/${program.link.partnerId}`, { status: 'suspended' })
    expect((await program.balance()).nextPayable).toBeNull()
    expect(await holdsOf(program)).toEqual([])
  })
})

describe('releasing held commissions', () => {
  test('makes them payable now, once, with an audit entry, ledger lines and an explanation for both sides', async () => {
    const program = await givenPayingProgram(service, HELD)
    const { sale_id, invoice_id } = await givenSale(program, 10_000)
    await givenSale(program, 5_000, { currency: 'EUR' })
    const [{ payableAt: heldUntil }] = await program.commissions()
    const { status, body } = await release(program)
    expect(status).toBe(200)
    const released = [
      { currency: 'EUR', commissions: 1, amountCents: 500 },
      { currency: 'USD', commissions: 1, amountCents: 1_000 },
    ]
    expect(body.data).toEqual({ released })
    expect(await program.balance()).toMatchObject({ heldCents: 0, payableCents: 500, nextPayable: null })
    expect(await program.commissions()).toMatchObject([{ state: 'payable' }, { state: 'payable' }])
    const [{ payableAt }] = await program.commissions()
    expect(Date.parse(payableAt)).toBeLessThan(Date.parse(heldUntil))
    expect((await linesOf(program)).slice(-4)).toMatchObject([
      { fromAccount: 'earned', toAccount: 'program', amountCents: 1_000, cause: 'hold released' },
      {
        fromAccount: 'program',
        toAccount: 'earned',
        amountCents: 1_000,
        cause: 'hold released',
        availableAt: payableAt,
      },
      { fromAccount: 'earned', toAccount: 'program', availableAt: heldUntil },
      { fromAccount: 'program', toAccount: 'earned', availableAt: payableAt },
    ])
    expect(await releasesInAudit(program)).toMatchObject([
      { action: 'held commissions released', subject: 'program', after: { released } },
    ])
    expect((await release(program)).body.data).toEqual({ released: [] })
    expect(await releasesInAudit(program)).toHaveLength(1)

    const { sentences } = (await program.owner.call('GET', `${program.api}/sales/${sale_id}/explain`)).body.data
    expect(sentences.join(' ')).toMatch(/ released the commission before its hold period ended on .*payable now\./)
    expect(sentences.join(' ')).not.toContain('payable from')
    const partner = await givenPartner(program)
    const earnings = `/api/portal/programs/${program.id}/earnings`
    const [, { id }] = (await partner.call('GET', earnings)).body.data
    const { story } = (await partner.call('GET', `${earnings}/${id}`)).body.data
    expect(story.join(' ')).toContain('The program released the commission before its hold period ended on ')

    await program.refund({ invoice_id, amount: 5_000 })
    expect(await program.balance()).toMatchObject({ payableCents: 500 })
    expect(await differencesIn(program)).toEqual([])
    expect((await program.pay()).lines.map(({ amountCents }: { amountCents: number }) => amountCents)).toEqual([
      500, 500,
    ])
    expect(await differencesIn(program)).toEqual([])
  })

  test('two calls at once release once', async () => {
    const program = await givenPayingProgram(service, HELD)
    await givenSale(program, 10_000)
    const answers = await Promise.all([release(program), release(program)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.flatMap(({ body }) => body.data.released)).toEqual([
      { currency: 'USD', commissions: 1, amountCents: 1_000 },
    ])
    expect(await linesOf(program)).toHaveLength(3)
    expect(await differencesIn(program)).toEqual([])
  })

  test('of many commissions is several transactions, also of one partner, and after an interruption the rest', async () => {
    const program = await givenPayingProgram(service, HELD)
    const customer_key = await program.customer()
    const sell = (customer_key: string) => program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })
    await Promise.all(Array.from({ length: 201 }, () => sell(customer_key)))
    const last = await givenLink(service, program.id)
    const ofLast = unique('customer')
    await program.lead({ customer_key: ofLast, click_id: await givenClick(service, last) })
    await sell(ofLast)
    expect(await holdsOf(program)).toMatchObject([{ commissions: 202 }])
    // Another payout or refund holds the lock of the last partner for longer than a statement may wait.
    const blocker = await service.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('SELECT FROM partner_accounts WHERE program_id = $1 AND partner_id = $2 FOR UPDATE', [
      program.id,
      last.partnerId,
    ])
    expect((await release(program)).status).toBe(503)
    await blocker.query('ROLLBACK')
    blocker.release()
    expect(await holdsOf(program)).toMatchObject([{ commissions: 2 }])
    expect((await release(program)).body.data).toEqual({
      released: [{ currency: 'USD', commissions: 2, amountCents: 200 }],
    })
    const counts = (await releasesInAudit(program)).map(
      ({ after }: { after: { released: { commissions: number }[] } }) => after.released[0]?.commissions,
    )
    expect(counts).toEqual([2, 200])
    expect(await differencesIn(program)).toEqual([])
  })

  test('leaves out later sales, bonuses and partners who are not approved', async () => {
    const program = await givenPayingProgram(service, HELD)
    const { partnerId } = program.link
    const inAWeek = new Date(service.clock.now().getTime() + 7 * DAY_MS).toISOString()
    const bonus = { type: 'bonus', partnerId, amountCents: 700, payableAt: inAWeek, reason: 'A prize for May' }
    expect((await program.owner.call('POST', `${program.api}/adjustments`, bonus)).status).toBe(201)
    expect((await release(program)).body.data.released).toEqual([])
    await givenSale(program, 10_000)
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { status: 'suspended' })
    expect((await release(program)).body.data.released).toEqual([])
    await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { status: 'approved' })
    expect((await release(program)).body.data.released).toMatchObject([{ amountCents: 1_000 }])
    await givenSale(program, 20_000)
    expect(await program.balance()).toMatchObject({ heldCents: 2_700, payableCents: 1_000 })
    expect(await differencesIn(program)).toEqual([])
  })

  test('can be limited to a partner or to a group', async () => {
    const program = await givenPayingProgram(service, HELD)
    await givenSale(program, 10_000)
    const { owner, api, link } = program
    const { id: groupId } = (await owner.call('POST', `${api}/groups`, { name: unique('Gold') })).body.data
    const other = (await owner.call('POST', `${api}/partners`, { name: 'Noa', code: unique('noa') })).body.data.id
    expect((await release(program, { partnerId: other })).body.data.released).toEqual([])
    expect((await release(program, { groupId })).body.data.released).toEqual([])
    expect(await holdsOf(program, `?groupId=${groupId}`)).toEqual([])
    await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { groupId })
    expect(await holdsOf(program, `?groupId=${groupId}`)).toMatchObject([{ amountCents: 1_000 }])
    expect((await release(program, { groupId })).body.data.released).toMatchObject([{ amountCents: 1_000 }])
    expect(await releasesInAudit(program)).toMatchObject([{ subject: `group ${groupId}` }])
    expectRefusal(await release(program, { partnerId: 99_999_999 }), 404, 'not_found')
    expectRefusal(await release(program, { groupId: 99_999_999 }), 404, 'not_found')
    expectRefusal(await release(program, { partnerId: other, groupId }), 400, 'invalid_request')
  })

  test('needs permission to manage payouts, while members who see commissions see what is held', async () => {
    const program = await givenPayingProgram(service, HELD)
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'member')
    expectRefusal(await viewer.call('POST', `${program.api}/holds/release`, {}), 403, 'forbidden')
  })
})
