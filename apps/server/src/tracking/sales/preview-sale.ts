import type { rewardSalePreview, rewardSalePreviewRequest } from '@tributary/contract'
import type { z } from 'zod'
import type { Tx } from '../../database/transaction.ts'
import { readCustomerFacts } from '../../money/commissions/customer-facts.ts'
import { evaluateCustomer, factsOfSale } from '../../money/commissions/evaluate.ts'
import { findWarnings } from '../../money/rewards/find-warnings.ts'
import { addMonths } from '../../money/rewards/months.ts'
import { readTerms } from '../../money/rewards/program-terms.ts'
import { proposedTerms, rulesOfTerms } from '../../money/rewards/requested-terms.ts'
import { computeReward, type Terms } from '../../money/rewards/rewards.ts'
import type { SaleForRules } from '../../money/rewards/rules.ts'
import { showRules } from '../../money/rewards/show-rules.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findSaleToPreview } from '../../sales/find-sales.ts'

type Request = z.infer<typeof rewardSalePreviewRequest>
type Answer = z.infer<typeof rewardSalePreview>

type PreviewedSale = NonNullable<Awaited<ReturnType<typeof findSaleToPreview>>>

type Preview = { program: Program; request: Request; at: Date }

/** What a sale would earn under unsaved terms, by the rules that pay real ones. Writes nothing. */
export const previewSale = async (tx: Tx, { program, request, at }: Preview) => {
  const sale = await findSale(tx, program.id, request)
  const terms = proposedTerms(request.reward, program.currency)
  const facts = sale ? await factsOf(tx, { programId: program.id, sale, terms }) : exampleOf(request, { program, at })
  const reward = computeReward({ terms, event: { kind: 'sale', ...facts } })
  const { amountCents, currency, firstSoldAt, country } = facts
  return {
    sale: sale && { id: sale.id, invoiceId: sale.invoiceId, soldAt: sale.soldAt, partnerId: sale.partnerId },
    amountCents,
    currency,
    isFirstSale: firstSoldAt === null,
    country: country ?? null,
    commission: typeof reward === 'string' ? null : reward,
    ...showRules(terms, facts),
    warnings: await findWarnings(tx, { programId: program.id, rules: rulesOfTerms(terms) }),
  } satisfies Omit<Answer, 'sale'> & { sale: unknown }
}

const findSale = async (tx: Tx, programId: number, { saleId, example }: Request) => {
  const sale = example ? undefined : await findSaleToPreview(tx, { programId, saleId })
  if (saleId !== undefined && !sale)
    throw new Refusal('not_found', 'This sale does not exist. Check saleId.', { field: 'saleId' })
  return sale ?? null
}

/** Other sales of the customer count under the terms that they had. */
const factsOf = async (
  tx: Tx,
  { programId, sale, terms }: { programId: number; sale: PreviewedSale; terms: Terms },
): Promise<SaleForRules> => {
  const saved = await readTerms(tx, programId)
  const customers = sale.clickId === null ? [] : await readCustomerFacts(tx, { programId, clickIds: sale.clickId })
  const evaluated = customers
    .flatMap(
      (customer) =>
        evaluateCustomer(customer, (partnerId, at) =>
          at.getTime() === sale.soldAt.getTime() ? terms : (saved.at(partnerId, at.getTime()) ?? null),
        ).sales,
    )
    .find(({ event }) => event.id === sale.id)
  const event = evaluated?.event ?? { ...sale, saleCents: sale.amountCents, country: null }
  return factsOfSale(event, terms, evaluated?.firstSoldAt ?? null, evaluated?.used)
}

const EXAMPLE = { amountCents: 4900, items: [], monthsSinceFirstSale: null, country: null }

const exampleOf = ({ example }: Request, { program, at }: { program: Program; at: Date }): SaleForRules => {
  const { amountCents, items, monthsSinceFirstSale, country, ...stated } = { ...EXAMPLE, ...example }
  const currency = 'currency' in stated ? stated.currency : undefined
  return {
    amountCents,
    currency: currency ?? program.currency,
    soldAt: at,
    firstSoldAt: monthsSinceFirstSale === null ? null : addMonths(at, -monthsSinceFirstSale),
    ...(items.length > 0 && { items: { totalCents: amountCents, parts: items } }),
    ...(country !== null && { country }),
  }
}
