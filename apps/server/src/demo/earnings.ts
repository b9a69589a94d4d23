import { createHash } from 'node:crypto'
import { note } from '../audit/audit-log.ts'
import type { Tx } from '../database/transaction.ts'
import { keepDecisions } from '../explain/decisions.ts'
import { insertRefund } from '../money/commissions/refunds.ts'
import { rewardAnswer } from '../money/rewards/change-reward.ts'
import { addTerms, termsAt } from '../money/rewards/reward-terms.ts'
import type { Program } from '../programs/programs.ts'
import { reverseFor } from '../tracking/sales/commission-changes.ts'
import { earnForLeads, earnForSales } from '../tracking/sales/earn-commission.ts'
import { decisionOfSale, decisionsOfLead } from './decisions.ts'

/** $2.00 per lead and 20% of a customer's sales in the first year, held for two weeks. */
const TERMS = {
  partnerId: null,
  leadAmountCents: 200,
  salePercentBps: 2_000,
  saleAmountCents: null,
  saleDuration: 'months',
  saleMonths: 12,
  holdDays: 14,
  minimumPayoutCents: 2_500,
} as const

/** One in this many sales is refunded, in full or by half. */
const REFUNDED_EVERY = 17
const DAY_MS = 86_400_000

type Options = {
  program: Program
  /** The user who set the reward terms. */
  userId: string
  hashKey: string
  /** The click of each sale or its customer, by invoice. */
  clickOfInvoice: Map<string, string | null>
  since: Date
  until: Date
}

/** Attributes the demo's leads and sales and creates their commissions with the production rules, in chronological order. */
export const earnDemo = async (tx: Tx, { program, userId, hashKey, clickOfInvoice, since, until }: Options) => {
  const programId = program.id
  await addTerms(tx, { programId, terms: { ...TERMS, currency: program.currency }, at: since })
  const after = rewardAnswer(await termsAt(tx, { programId, partnerId: null, at: since }), {
    currency: program.currency,
    own: false,
  })
  await note(tx, { programId, userId, action: 'reward changed', subject: 'program reward', after, at: since })
  const leads = await tx
    .selectFrom('leads')
    .selectAll()
    .where('programId', '=', programId)
    .orderBy('settledAt')
    .execute()
  const sales = await tx.selectFrom('sales').selectAll().where('programId', '=', programId).orderBy('soldAt').execute()
  const knownOf = await visitorsOf(tx, programId, leads)
  const cameBy = ({ invoiceId }: { invoiceId: string }) => clickOfInvoice.get(invoiceId) ?? null
  // Each decision precedes its consequences. Batched, because a thousand statements would slow down the first start.
  const decisions = [
    ...leads.flatMap((lead) => decisionsOfLead(program, { lead, known: knownOf(lead.clickId) })),
    ...sales.map((sale) => {
      const clickId = cameBy(sale)
      return decisionOfSale(program, { sale, known: clickId === null ? null : knownOf(clickId) })
    }),
  ]
  await inParts(decisions, (some) => keepDecisions(tx, some))
  const settled = leads.flatMap(({ id: leadId, partnerId, clickId, visitorHash, day, settledAt }) =>
    settledAt === null || day === null
      ? []
      : [
          {
            ...{ programId, leadId, partnerId, clickId, visitorHash, day, settledAt, at: settledAt },
            ...{ isReportedAgain: false, isUnverified: false },
          },
        ],
  )
  await inParts(settled, (some) => earnForLeads(tx, hashKey, some))
  const credited = sales.flatMap(({ id: saleId, clickId, partnerId, creditedAt: at, ...sale }) =>
    clickId === null || partnerId === null || at === null ? [] : [{ ...sale, saleId, clickId, partnerId, at }],
  )
  await inParts(credited, (some) => earnForSales(tx, hashKey, { sales: some }))
  for (const [index, sale] of sales.entries()) {
    const refundedAt = new Date(sale.soldAt.getTime() + 3 * DAY_MS)
    const isRefunded = index % REFUNDED_EVERY === 0 && sale.clickId !== null && refundedAt < until
    if (isRefunded) await refund(tx, { programId, sale, half: index % 2 === 0, refundedAt })
  }
}

const AT_ONCE = 500

const inParts = async <Item>(items: Item[], write: (some: Item[]) => Promise<unknown>) => {
  for (let from = 0; from < items.length; from += AT_ONCE) await write(items.slice(from, from + AT_ONCE))
}

/** Each visitor's clicks and when their lead settled. */
const visitorsOf = async (tx: Tx, programId: number, leads: { clickId: string; settledAt: Date | null }[]) => {
  const rows = await tx
    .selectFrom('clickEvents')
    .select(['id', 'clickId', 'linkId', 'partnerId', 'clickedAt'])
    .where('programId', '=', programId)
    .orderBy('clickedAt')
    .orderBy('id')
    .execute()
  const clicks = Map.groupBy(rows, ({ clickId }) => clickId)
  const settlements = new Map(leads.map(({ clickId, settledAt }) => [clickId, settledAt]))
  return (clickId: string) => ({
    clicks: (clicks.get(clickId) ?? []).map(({ clickId: _, ...click }) => click),
    settledAt: settlements.get(clickId) ?? null,
  })
}

type Refund = {
  programId: number
  sale: { id: number; amountCents: number; currency: string; invoiceId: string }
  half: boolean
  refundedAt: Date
}

const refund = async (tx: Tx, { programId, sale, half, refundedAt }: Refund) => {
  const amountCents = half ? Math.floor(sale.amountCents / 2) : sale.amountCents
  const requestHash = createHash('sha256').update(sale.invoiceId).digest()
  const values = {
    programId,
    saleId: sale.id,
    refundId: null,
    amountCents,
    isAll: !half,
    reason: 'requested by customer',
    requestHash,
    refundedAt,
  }
  const refundId = await insertRefund(tx, values)
  await reverseFor(tx, { programId, sale, cause: 'refund', refundId, at: refundedAt })
}
