import type { Explanation } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { answerOf, namedIn, type Told } from '../../explain/answer.ts'
import { listDecisions } from '../../explain/decisions.ts'
import { findLaterTerms } from '../../explain/later-terms.ts'
import { payoutsOfCommission } from '../../explain/payouts.ts'
import { decidedReviewOf } from '../../explain/review-words.ts'
import { commissionIdOf, type ExplainedLead, type ExplainedSale, type Named, namesOf } from '../../explain/subjects.ts'
import { type Reader, type Words, wordsFor } from '../../explain/words.ts'
import { findCommissionRow } from '../../money/commissions/list-commissions.ts'
import { decimal } from '../../money/payouts/decimal.ts'

/** Without a partner, the reader is the one who was credited; with null, it is none in particular. */
export type Asked = { programId: number; audience: Reader['audience']; partnerId?: number | null }
export type Dependencies = { db: Database; clock: Clock }

export const NAMELESS: Explanation['subject'] = {
  kind: 'sale',
  id: null,
  invoiceId: null,
  customerKey: null,
  clickId: null,
}

/** The words for the reader: a partner hears of themselves only. */
export const wordsOf = async (
  db: Database,
  { asked, credited, named }: { asked: Asked; credited: number | null; named: Named[] },
) => {
  const { programId, audience, partnerId = credited } = asked
  const reader: Reader = audience === 'merchant' ? { audience } : { audience, partnerId }
  return wordsFor(reader, { names: await namesOf(db, programId, named), decimal })
}

export const explainSale = async (
  { db, clock }: Dependencies,
  { asked, sale }: { asked: Asked; sale: ExplainedSale },
): Promise<Explanation> => {
  const { programId } = asked
  const { id, invoiceId, customerKey, clickId, partnerId } = sale
  const decisions = await listDecisions(db, { programId, saleId: id })
  const words = await wordsOf(db, { asked, credited: partnerId, named: namedIn(decisions) })
  const told = {
    event: { kind: 'sale' as const, name: nameOfSale(sale, words) },
    partnerId,
    decisions,
    ...(await moneyOf(db, { programId, of: { saleId: id }, at: clock() })),
  }
  const isMerchant = asked.audience === 'merchant'
  const answer = answerOf(told, words)
  return {
    ...answer,
    // Whoever had it, has it no more: it is part of another sale.
    ...(sale.voidedAt && { outcome: 'uncredited', reason: 'merged_into_another_sale' }),
    subject: { ...NAMELESS, kind: 'sale', id, ...(isMerchant && { invoiceId, customerKey, clickId }) },
  }
}

export const explainLead = async (
  { db, clock }: Dependencies,
  { asked, lead }: { asked: Asked; lead: ExplainedLead },
): Promise<Explanation> => {
  const { programId } = asked
  const { id, customerKey, clickId, partnerId } = lead
  const decisions = await listDecisions(db, { programId, leadId: id })
  const words = await wordsOf(db, { asked, credited: partnerId, named: namedIn(decisions) })
  const isMerchant = asked.audience === 'merchant'
  const name = isMerchant && customerKey !== null ? `The sign-up of ${customerKey}` : 'The sign-up'
  const told: Told = {
    event: { kind: 'lead', name },
    partnerId,
    decisions,
    ...(await moneyOf(db, { programId, of: { leadId: id }, at: clock() })),
  }
  return {
    subject: { ...NAMELESS, kind: 'lead', id, ...(isMerchant && { customerKey, clickId }) },
    ...answerOf(told, words),
  }
}

/** The amount of a sale is nobody's business but the merchant's and the credited partner's. */
const nameOfSale = ({ invoiceId, amountCents, currency, partnerId }: ExplainedSale, words: Words) => {
  const amount = words.money(amountCents, currency)
  if (words.reader.audience === 'merchant') return `Sale ${invoiceId} of ${amount}`
  return partnerId !== null && words.may(partnerId) ? `A sale of ${amount}` : 'A sale'
}

type Event = { programId: number; of: { leadId: number } | { saleId: number }; at: Date }

const moneyOf = async (db: Database, { programId, of, at }: Event) => {
  const commissionId = await commissionIdOf(db, { programId, of })
  const laterTerms = await findLaterTerms(db, programId)
  if (commissionId === null) return { commission: null, payouts: [], review: null, laterTerms }
  const commission = (await findCommissionRow(db, { programId, id: commissionId, at })) ?? null
  const [payouts, review] = await Promise.all([
    payoutsOfCommission(db, { programId, commissionId }),
    decidedReviewOf(db, { programId, commissionId }),
  ])
  return { commission, payouts, review, laterTerms }
}
