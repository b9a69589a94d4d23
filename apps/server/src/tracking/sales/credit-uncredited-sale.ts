import { sql } from 'kysely'
import { attributeSale } from '../../attribution/attribution.ts'
import { suspicionsOf } from '../../attribution/evidence.ts'
import type { Recorder } from '../../clock.ts'
import { bindToCodes, markAsBuyer, recordOfCode } from '../../customers/customers.ts'
import { withParts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { storeDecision } from '../../explain/decisions.ts'
import type { Attribution } from '../../payments/fold-reports.ts'
import type { Program } from '../../programs/programs.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { changeSale, changeUncreditedReason, creditSale, isUncredited } from '../../sales/sales.ts'
import type { CodeOnEvent } from '../codes/stated-codes.ts'
import { earnLate } from '../commissions/commission-changes.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { loadFactsForSale, statedCode, toCodeCustomer, toCredit } from './create-sales.ts'
import { creditSalesAfterCode } from './credit-sales-after-code.ts'

type Uncredited = {
  sale: Sale
  program: Program
  attribution: Pick<Attribution, 'customerKey' | 'clickId' | 'boundAt'>
  codes: CodeOnEvent[]
  at: Date
}

/** Credits a sale that was credited to no one, once its customer or its code is known. The caller holds the lock on the sale. */
export const creditUncreditedSale = async (
  tx: Tx,
  { hashKey, cell }: Pick<Recorder, 'hashKey' | 'cell'>,
  { sale, program, attribution, at, ...stated }: Uncredited,
): Promise<Sale> => {
  const { programId, id: saleId, amountCents, items, currency, soldAt, day } = sale
  if (sale.creditSource !== null) return sale
  const codes = withOwnCode(sale, stated.codes)
  const named = { program, ...attribution, soldAt, codes, saleId }
  const loaded = await loadFactsForSale(tx, hashKey, named)
  const { customer, facts } = loaded
  const result = attributeSale(facts)
  const coded = toCodeCustomer({ ...named, ...loaded }, result, cell)
  const credit = toCredit(result, { customer: coded ? recordOfCode(coded) : customer, facts })
  const promotionCode = statedCode({ result, codes })
  if (promotionCode !== sale.promotionCode) await changeSale(tx, { programId, saleId, promotionCode, at })
  const isUnchanged = isUncredited(credit) && (credit.reason === sale.reason || sale.reportedBy === 'merchant')
  if (isUnchanged) return { ...sale, promotionCode }
  const decision = { subject: 'sale', subjectId: saleId, of: { saleId }, rule: 'sale' } as const
  await storeDecision(tx, { programId, ...decision, facts, result, at })
  if (isUncredited(credit)) {
    await changeUncreditedReason(tx, { programId, saleIds: [saleId], reason: credit.reason, at })
    return { ...sale, promotionCode, reason: credit.reason }
  }
  if (coded) await sql`${withParts(bindToCodes([coded]))} SELECT count(*) FROM coded`.execute(tx)
  await creditSale(tx, { programId, saleId, ...credit, creditedAt: at })
  await markDays(tx, [{ programId, day }])
  await markAsBuyer(tx, { programId, clickId: credit.clickId })
  const { evidence, ...credited } = credit
  const earning = { programId, saleId, ...credited, evidence: suspicionsOf(program, evidence) }
  await earnLate(tx, hashKey, { ...earning, amountCents, items, currency, soldAt, at })
  await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  if (coded) await creditSalesAfterCode(tx, hashKey, { ...coded, program, at })
  return { ...sale, ...credited, promotionCode, reason: null }
}

/** What the merchant stated with the sale comes first. */
const withOwnCode = ({ reportedBy, promotionCode: own }: Sale, codes: CodeOnEvent[]): CodeOnEvent[] =>
  reportedBy !== 'merchant' || own === null
    ? codes
    : [{ code: own }, ...codes.filter(({ code }) => code.toLowerCase() !== own.toLowerCase())]
