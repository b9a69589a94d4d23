import { describe, expect, test } from 'bun:test'
import { payoutDetails, payoutLine, portalPayout } from '@tributary/contract'
import { inTransaction } from '../../src/database/transaction.ts'
import { formatDateTime } from '../../src/format-time.ts'
import { destinationHolds, holdPayoutDestination } from '../../src/partners/destination-holds.ts'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { givenPortal, REWARD } from './given-portal.ts'

const open = await startTestService()
const { givenEarningPartner, givenPartner } = givenPortal(open)

const PAYPAL = { method: 'paypal', account: 'maya@example.com', holder: 'Maya' }
const HOLD_MS = 2 * DAY_MS

/** A partner with an earlier payment to a PayPal account and an open payout. */
const givenPaidPartner = async () => {
  const program = await givenEarningPartner()
  open.clock.advance(31 * DAY_MS)
  const set = (details: object) => program.partner.call('PUT', `${program.portal}/payout-details`, details)
  expect((await set(PAYPAL)).status).toBe(200)
  open.clock.advance(HOLD_MS)
  const payout = await program.pay()
  const id = payout.id as number
  const line = async () => {
    const { data } = (await program.owner.call('GET', `${program.api}/payouts/${id}/lines`)).body
    return payoutLine.parse(data[0])
  }
  return { ...program, payoutId: id, lineId: payout.lines[0].id as number, set, line }
}

describe('payout details', () => {
  test('first entered by a partner with earnings are held like a change, however old the sign-in is', async () => {
    const { partner, portal, get, pay, file, owner, api } = await givenEarningPartner()
    open.clock.advance(31 * DAY_MS)
    const payout = await pay()
    const line = async () => (await owner.call('GET', `${api}/payouts/${payout.id}/lines`)).body.data[0]
    expect(await line()).toMatchObject({ needsDetails: true, destinationHeldUntil: null })
    const { heldUntil, updatedAt } = (await partner.call('PUT', `${portal}/payout-details`, PAYPAL)).body.data
    expect(Date.parse(heldUntil) - Date.parse(updatedAt)).toBe(HOLD_MS)
    expect(await get('/payout-details')).toMatchObject({ heldUntil })
    expect(await line()).toMatchObject({ destinationHeldUntil: heldUntil, destinationChangedAt: updatedAt })
    expect((await file(payout.id, { format: 'paypal' })).status).toBe(409)
    open.clock.advance(HOLD_MS)
    expect(await line()).toMatchObject({ destinationHeldUntil: null, destinationChangedAt: null, method: 'paypal' })
    expect((await file(payout.id, { format: 'paypal' })).status).toBe(200)
  })

  test('entered before the first earnings are not held, and apply to later ones', async () => {
    const program = await givenPayingProgram(open, REWARD)
    const partner = await givenPartner(program)
    const details = await partner.call('PUT', `/api/portal/programs/${program.id}/payout-details`, PAYPAL)
    expect(payoutDetails.parse(details.body.data).heldUntil).toBeNull()
    await givenSale(program, 1000)
    open.clock.advance(31 * DAY_MS)
    const { id } = await program.pay()
    expect((await program.file(id, { format: 'paypal' })).status).toBe(200)
  })

  test('that change are held for 48 hours: shown to the payer and the partner, and in no payment file', async () => {
    const { line, file, payoutId, get, set, owner, api, link } = await givenPaidPartner()
    const { body } = await set({ ...PAYPAL, account: 'thief@example.com' })
    const heldUntil = payoutDetails.parse(body.data).heldUntil ?? ''
    expect(Date.parse(heldUntil) - Date.parse(body.data.updatedAt)).toBe(HOLD_MS)
    expect(await get('/payout-details')).toMatchObject({ heldUntil })
    expect(await line()).toMatchObject({ destinationHeldUntil: heldUntil, destinationChangedAt: body.data.updatedAt })
    expect((await owner.call('GET', `${api}/partners/${link.partnerId}`)).body.data.payoutDetails).toMatchObject({
      heldUntil,
    })
    await owner.call('PATCH', api, { timezone: 'Asia/Tokyo' })
    const refused = await file(payoutId, { format: 'paypal' })
    expect(refused.status).toBe(409)
    const until = formatDateTime(new Date(heldUntil), 'Asia/Tokyo')
    expect(await refused.text()).toContain(`Paused because the payout details changed: Partner (until ${until}).`)
    await owner.call('PATCH', api, { timezone: 'UTC' })
    expect(await (await file(payoutId, { format: 'wise' })).text()).toContain(
      'Paid by another method: Partner (PayPal).',
    )
    expect(await (await file(payoutId, { format: 'csv' })).text()).toEndWith(`,open,,,false,${heldUntil},approved\r\n`)

    open.clock.advance(HOLD_MS - 60_000)
    expect((await file(payoutId, { format: 'paypal' })).status).toBe(409)
    open.clock.advance(60_000)
    expect(await (await file(payoutId, { format: 'paypal' })).text()).toStartWith('thief@example.com,')
    expect(await line()).toMatchObject({ destinationHeldUntil: null })
    expect(await get('/payout-details')).toMatchObject({ heldUntil: null })
  })

  test('saved again unchanged are not held; each change restarts the hold', async () => {
    const { line, set } = await givenPaidPartner()
    await set(PAYPAL)
    expect(await line()).toMatchObject({ destinationHeldUntil: null })
    await set({ ...PAYPAL, account: 'second@example.com' })
    const first = (await line()).destinationHeldUntil ?? ''
    open.clock.advance(DAY_MS)
    await set(PAYPAL)
    expect(Date.parse((await line()).destinationHeldUntil ?? '')).toBeGreaterThanOrEqual(Date.parse(first) + DAY_MS)
  })

  test('entered by a person who just got the partner’s account are held too', async () => {
    const { line, set, file, payoutId, id: programId, link, owner, api } = await givenPaidPartner()
    await open.db.deleteFrom('partnerPayoutDetails').where('partnerId', '=', link.partnerId).execute()
    await inTransaction(open.db, (tx) =>
      holdPayoutDestination(tx, { programId, partnerId: link.partnerId, at: open.clock.now() }),
    )
    expect(await line()).toMatchObject({ needsDetails: true, destinationHeldUntil: expect.any(String) })
    await set(PAYPAL)
    expect(await line()).toMatchObject({ needsDetails: false, destinationHeldUntil: expect.any(String) })
    expect((await file(payoutId, { format: 'paypal' })).status).toBe(409)
    expect((await owner.call('GET', `${api}/payouts/preview`)).body.data).toEqual([])
  })
})

describe('the first sign-in of a partner', () => {
  const enter = async (partner: Awaited<ReturnType<typeof givenPartner>>, programId: number) =>
    (await partner.call('PUT', `/api/portal/programs/${programId}/payout-details`, PAYPAL)).body.data

  test('with earnings is held for 48 hours, because another person may have used the invitation', async () => {
    const { id: programId, link } = await givenEarningPartner()
    const holds = await destinationHolds(open.db, { programId, ids: [link.partnerId], at: open.clock.now() })
    expect(holds.has(link.partnerId)).toBe(true)
  })

  test('without earnings is not held', async () => {
    const program = await givenPayingProgram(open, REWARD)
    expect(await enter(await givenPartner(program), program.id)).toMatchObject({ heldUntil: null })
  })
})

describe('payout details are checked:', () => {
  const ACCOUNTS = {
    'an IBAN whose checksum is wrong': { method: 'bank', account: 'DE89 3704 0044 0532 0130 01' },
    'an IBAN that is cut off': { method: 'bank', account: 'DE89 3704 0044' },
    'text that claims to be an IBAN': { method: 'bank', account: 'IBAN: 12345678' },
    'abc for a bank account': { method: 'bank', account: 'abc' },
    'a PayPal account that is not an address': { method: 'paypal', account: '@maya' },
    'a Wise account that is not an address': { method: 'wise', account: 'maya-tag' },
  }
  for (const [what, account] of Object.entries(ACCOUNTS))
    test(`${what} is rejected with what to enter`, async () => {
      const { partner, portal, get } = await givenEarningPartner()
      const answer = await partner.call('PUT', `${portal}/payout-details`, { ...account, holder: 'Maya' })
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error.field).toBe('account')
      expect(answer.body.error.message).toMatch(
        account.method === 'bank' ? /IBAN.*DE89 3704 0044 0532 0130 00/ : /must be the email address of your/,
      )
      expect(await get('/payout-details')).toBeNull()
    })

  test('IBANs, account numbers and addresses are accepted', async () => {
    const { partner, portal } = await givenEarningPartner()
    for (const [method, account] of [
      ['bank', 'DE89 3704 0044 0532 0130 00'],
      ['bank', 'gb82west12345698765432'],
      ['bank', 'IBAN: MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
      ['bank', 'Routing 021000021, account 000123456789'],
      ['paypal', 'maya+pay@example.com'],
      ['wise', 'maya@example.com'],
      ['other', 'Cash'],
    ])
      expect((await partner.call('PUT', `${portal}/payout-details`, { method, account, holder: 'M' })).status).toBe(200)
  })
})

test('a partner sees the reference and the date of a payment', async () => {
  const { decide, payoutId, lineId, get, partner, portal } = await givenPaidPartner()
  const payment = { reference: 'PAYID-1', paidAt: open.clock.now().toISOString().slice(0, 10) }
  await decide(payoutId, lineId, { status: 'paid', ...payment })
  expect((await get('/payouts')).map((row: unknown) => portalPayout.parse(row))).toMatchObject([payment])
  const file = await fetch(`${open.url}${portal}/export/payouts.csv`, { headers: { cookie: partner.cookie } })
  expect(await file.text()).toContain(`,PAYID-1,${payment.paidAt}\r\n`)
})
