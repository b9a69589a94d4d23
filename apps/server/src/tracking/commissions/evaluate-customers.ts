import type { Tx } from '../../database/transaction.ts'
import type { CorrectionFacts } from '../../money/commissions/commission-rules.ts'
import { readCustomerFacts } from '../../money/commissions/customer-facts.ts'
import { type Evaluation, evaluateCustomer, factsOfSale, type SaleEvent } from '../../money/commissions/evaluate.ts'
import { readTerms } from '../../money/rewards/program-terms.ts'
import { toTermsFacts } from '../../money/rewards/rewards.ts'

/** What all sales of these customers earn. The caller holds the locks on the customers and the terms. */
export const evaluateCustomers = async (
  tx: Tx,
  { programId, clickIds }: { programId: number; clickIds: string[] },
): Promise<Evaluation<SaleEvent>[]> => {
  const terms = await readTerms(tx, programId)
  const facts = await readCustomerFacts(tx, { programId, clickIds: clickIds.join('\n') })
  return facts.flatMap(
    (customer) => evaluateCustomer(customer, (partnerId, at) => terms.at(partnerId, at.getTime()) ?? null).sales,
  )
}

/** What an evaluation was based on. */
export const recalculated = ({
  event,
  terms,
  firstSoldAt,
  used,
}: Evaluation<SaleEvent>): CorrectionFacts['recalculated'] => ({
  terms: terms && toTermsFacts(terms),
  event: factsOfSale(event, terms, firstSoldAt, used),
})
