import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenMoney, type Ledger, type Money } from './given-money.ts'

/**
 * Some of everything: sales, leads, refunds, disputes, reviews, payouts, late credits, custom terms, in several blocks.
 */
export const givenBusyProgram = async (ledger: Ledger) => {
  const money = await givenMoney(
    ledger,
    { lead: { amountCents: 50 }, sale: { percentBps: 1_250, duration: 'months', months: 2 }, holdDays: 7 },
    3,
  )
  const customers = [await money.customer(0), await money.customer(1), await money.customer(2)]
  const late = await money.click(1)
  const waiting = await money.sale('late', 3_333)
  await money.refund(waiting.invoiceId, 1_111)
  const invoices: string[] = []
  for (let round = 0; round < 4; round++) {
    for (const customer of customers) invoices.push((await money.sale(customer, 999 + round * 371)).invoiceId)
    await money.refund(invoices[round] ?? '', 100 + round)
    await money.dispute(invoices[round + 1] ?? '', 'open')
    if (round === 1) await money.lead('late', late)
    if (round === 2) await money.dispute(invoices[2] ?? '', 'won')
    if (round === 2)
      await money.changeTerms({ sale: { amountCents: 500, duration: 'lifetime' } }, money.links[2]?.partnerId)
    await money.seal()
    money.clock.advance(8 * 86_400_000)
    const { payoutId, lines } = await money.pay()
    for (const [index, line] of lines.entries())
      await money.mark({ payoutId, lineId: line.id }, (index + round) % 3 ? 'paid' : 'failed')
  }
  const self = await money.customer(0, money.links[0]?.email)
  const { commissionId } = await money.sale(self, 5_000)
  await money.review(commissionId ?? 0, 'released')
  await money.sale(self, 7_000)
  await money.dispute(invoices[3] ?? '', 'lost')
  await money.refund(invoices[0] ?? '')
  await money.seal()
  await rolledUp(ledger, money)
  return money
}

const rolledUp = async (ledger: Ledger, { programId, clock }: Money) => {
  const program = await findProgram(ledger.db, programId)
  if (!program) throw new Error('no program')
  while (!(await rollUp(ledger.db, { program, at: clock.now() })));
}
