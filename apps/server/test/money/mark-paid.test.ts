import { expect, test } from 'bun:test'
import { payoutLine } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const givenOpenLine = async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  await service.db.updateTable('programs').set({ timezone: 'Asia/Tokyo' }).where('id', '=', program.id).execute()
  await givenSale(program, 1_000)
  const { id, lines } = await program.pay()
  return { ...program, payoutId: id as number, lineId: lines[0].id as number }
}
const dayInTokyo = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo', dateStyle: 'short' }).format(
    new Date(service.clock.now().getTime() + days * 86_400_000),
  )

test('a paid line keeps the reference and payment date, in the response, the list and the files', async () => {
  const { decide, owner, api, payoutId, lineId } = await givenOpenLine()
  const payment = { reference: 'PAYID-1', paidAt: dayInTokyo(0) }
  const { status, body } = await decide(payoutId, lineId, { status: 'paid', ...payment })
  expect(status).toBe(200)
  expect(payoutLine.parse(body.data)).toMatchObject(payment)
  expect((await owner.call('GET', `${api}/payouts/${payoutId}/lines`)).body.data).toMatchObject([payment])
  const file = await fetch(`${service.url}${api}/export/payouts.csv`, { headers: { cookie: owner.cookie } })
  expect(await file.text()).toContain(`,PAYID-1,${payment.paidAt}\r\n`)
  expect((await owner.call('GET', `${api}/audit?search=line+paid`)).body.data).toMatchObject([{ after: payment }])
})

test('a timestamp counts as its day in the program’s time zone', async () => {
  const { decide, payoutId, lineId } = await givenOpenLine()
  const [today] = service.clock.now().toISOString().split('T')
  service.clock.advance(3 * 86_400_000)
  const next = new Date(Date.parse(`${today}T00:00:00Z`) + 2 * 86_400_000).toISOString().slice(0, 10)
  const evening = new Date(Date.parse(`${today}T22:00:00Z`) + 86_400_000).toISOString()
  const { body } = await decide(payoutId, lineId, { status: 'paid', paidAt: evening })
  expect(body.data).toMatchObject({ paidAt: next, reference: null })
})

test('a future payment, an invalid date, an overlong reference and a failed payment are rejected, and nothing is booked', async () => {
  const { decide, payoutId, lineId, balance } = await givenOpenLine()
  const refused = async (body: object, field: string) => {
    const answer = await decide(payoutId, lineId, body)
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.error.field).toBe(field)
    return answer.body.error.message
  }
  expect(await refused({ status: 'paid', paidAt: dayInTokyo(1) }, 'paidAt')).toBe(
    `paidAt must not be in the future. Today is ${dayInTokyo(0)} in Asia/Tokyo.`,
  )
  const later = new Date(service.clock.now().getTime() + 60_000).toISOString()
  expect(await refused({ status: 'paid', paidAt: later }, 'paidAt')).toContain('must not be in the future')
  const early = `paidAt must not be before the payout was created (${dayInTokyo(0)} in Asia/Tokyo).`
  for (const paidAt of [dayInTokyo(-1), '2026-01-31', '2001-01-01T00:00:00Z'])
    expect(await refused({ status: 'paid', paidAt }, 'paidAt')).toBe(early)
  for (const paidAt of ['yesterday', '2026-02-30', '31.01.2026', ''])
    expect(await refused({ status: 'paid', paidAt }, 'paidAt')).toBe(
      'paidAt must be an ISO 8601 date such as 2026-11-17.',
    )
  await refused({ status: 'paid', reference: 'x'.repeat(256) }, 'reference')
  await refused({ status: 'failed', reference: 'PAYID-1' }, 'reference')
  await refused({ status: 'failed', paidAt: '2026-01-31' }, 'paidAt')
  expect(await balance()).toMatchObject({ batchedCents: 100, paidCents: 0 })
})

test('marking a line again is the same payment or rejected', async () => {
  const { decide, payoutId, lineId } = await givenOpenLine()
  const payment = { status: 'paid', reference: 'PAYID-1', paidAt: dayInTokyo(0) }
  for (const repeat of [payment, payment, { status: 'paid' }])
    expect((await decide(payoutId, lineId, repeat)).body.data).toMatchObject(payment)
  for (const other of [{ reference: 'PAYID-2' }, { paidAt: '2026-01-31' }])
    expectRefusal(await decide(payoutId, lineId, { ...payment, ...other }), 409, 'conflict')
})
