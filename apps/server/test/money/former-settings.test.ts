import { expect, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { paid } from '../payments/given-payments.ts'
import { givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { recordPaymentReport } from '../support/record-payment-report.ts'
import { SECRETS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const DAY_MS = 86_400_000

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

test('a sale that waited for its lead goes to the click that won by the attribution model of its day', async () => {
  const program = await givenPayingProgram(service, REWARD, { attributionModel: 'last_click' })
  const second = await givenLink(service, program.id)
  const click_id = await givenClick(service, program.link)
  service.clock.advance(1_000)
  await givenClick(service, second, { existing_click_id: click_id })
  service.clock.advance(1_000)
  const customer_key = unique('customer')
  const waiting = await program.sale({ customer_key, amount: 5_000, invoice_id: unique('invoice') })
  expect(waiting.body).toMatchObject({ attributed: false })

  service.clock.advance(DAY_MS)
  expect((await program.owner.call('PATCH', program.api, { attributionModel: 'first_click' })).status).toBe(200)
  expect((await program.lead({ customer_key, click_id })).status).toBe(200)
  expect(await program.balance(second.partnerId)).toMatchObject({ payableCents: 500 })
  expect(await program.balance()).toBeUndefined()
})

test('a payment that is reported late is judged by the window of the day on which it was made', async () => {
  const program = await givenPayingProgram(service, REWARD, { cookieWindowDays: 60 })
  const clickId = await givenClick(service, program.link)
  const pay = async (reference: string, at: Date) => {
    const inboxProgram = await findProgram(service.db, program.id)
    if (!inboxProgram) throw new Error('the program was just created')
    const report = { references: [reference] as [string], says: paid(10_000), at }
    const attribution = { programId: program.id, customerKey: null, clickId }
    const recorder = { clock: service.clock.now, hashKey: SECRETS.hashKey }
    return inTransaction(service.db, (tx) =>
      recordPaymentReport(tx, recorder, { inboxProgram, report: { ...report, attribution } }),
    )
  }
  service.clock.advance(40 * DAY_MS)
  const paidAt = service.clock.now()
  service.clock.advance(DAY_MS)
  expect((await program.owner.call('PATCH', program.api, { cookieWindowDays: 30 })).status).toBe(200)
  expect(await pay(unique('pi'), paidAt)).toMatchObject({ outcome: 'applied', reason: 'payment_recorded' })
  service.clock.advance(1_000)
  expect(await pay(unique('pi'), service.clock.now())).toMatchObject({ outcome: 'applied', reason: 'click_expired' })
})

test('settings that are saved without a change, and the answer of a program, show nothing of earlier ones', async () => {
  const program = await givenPayingProgram(service, REWARD, { cookieWindowDays: 60 })
  for (const cookieWindowDays of [60, 30]) await program.owner.call('PATCH', program.api, { cookieWindowDays })
  const { formerSettings } = await service.db
    .selectFrom('programs')
    .select('formerSettings')
    .where('id', '=', program.id)
    .executeTakeFirstOrThrow()
  expect(formerSettings).toMatchObject([{ cookieWindowDays: 60, attributionModel: 'last_click' }])
  const { body } = await program.owner.call('GET', program.api)
  expect(Object.keys(body.data)).not.toContain('formerSettings')
})
