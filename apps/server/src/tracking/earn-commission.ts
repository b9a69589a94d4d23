import { findEmailHash } from '../customers/customers.ts'
import { keepEmail } from '../customers/emails.ts'
import { countLeadsOfVisitor } from '../customers/leads.ts'
import type { Tx } from '../database/transaction.ts'
import { type Earned, earn } from '../money/earn.ts'
import type { ReviewReason } from '../money/reviews.ts'
import { termsAt } from '../money/reward-terms.ts'
import { leadReward, saleReward } from '../money/rewards.ts'
import { emailOfPartner } from '../partners/partners.ts'
import type { Program } from '../programs/programs.ts'
import { lockFirstSale } from '../sales/sales.ts'

/** More leads than this from one visitor in a day is worth a look. */
const LEADS_OF_ONE_VISITOR = 5

type LeadEvent = {
  program: Program
  leadId: number
  partnerId: number
  clickId: string
  visitorHash: Uint8Array | null
  day: string
  at: Date
}

/** A settled lead pays what the terms of its moment say. */
export const earnForLead = async (tx: Tx, hashKey: string, lead: LeadEvent): Promise<Earned> => {
  const { leadId, partnerId, clickId, visitorHash, day, at } = lead
  const programId = lead.program.id
  const terms = await termsAt(tx, { programId, partnerId, at })
  const reward = terms ? leadReward(terms) : 'no_terms'
  if (!terms || typeof reward === 'string') return { commissionId: null, reason: reward as 'no_terms' }
  const crowd = visitorHash ? await countLeadsOfVisitor(tx, { programId, visitorHash, day }) : 0
  const review: ReviewReason | null =
    crowd > LEADS_OF_ONE_VISITOR
      ? 'many_leads_from_one_visitor'
      : await selfDealing(tx, hashKey, { programId, partnerId, clickId })
  return {
    commissionId: await earn(tx, {
      programId,
      partnerId,
      of: { kind: 'lead', leadId },
      terms,
      reward,
      earnedAt: at,
      review,
      at,
    }),
  }
}

type SaleEvent = {
  programId: number
  saleId: number
  partnerId: number
  clickId: string
  amountCents: number
  currency: string
  soldAt: Date
  at: Date
}

/** A credited sale pays under the terms at the time of the sale, also when it is credited later. */
export const earnForSale = async (tx: Tx, hashKey: string, sale: SaleEvent): Promise<Earned> => {
  const { programId, saleId, partnerId, clickId, soldAt, at } = sale
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  if (!terms) return { commissionId: null, reason: 'no_terms' }
  const needsFirst = terms.saleDuration === 'first' || terms.saleDuration === 'months'
  const firstSoldAt = needsFirst ? await lockFirstSale(tx, { programId, clickId, saleId }) : null
  const reward = saleReward(terms, { ...sale, firstSoldAt })
  if (typeof reward === 'string') return { commissionId: null, reason: reward }
  const review = await selfDealing(tx, hashKey, { programId, partnerId, clickId })
  return {
    commissionId: await earn(tx, {
      programId,
      partnerId,
      of: { kind: 'sale', saleId },
      terms,
      reward,
      earnedAt: soldAt,
      review,
      at,
    }),
  }
}

type Pair = { programId: number; partnerId: number; clickId: string }

/** The customer's e-mail is the partner's own. */
const selfDealing = async (tx: Tx, hashKey: string, { programId, partnerId, clickId }: Pair) => {
  const customer = await findEmailHash(tx, { programId, clickId })
  if (!customer) return null
  const partner = keepEmail(hashKey, await emailOfPartner(tx, { programId, id: partnerId }))
  return partner?.hash.equals(customer) ? 'customer_is_partner' : null
}
