import { createHash } from 'node:crypto'
import { recordAudit } from '../audit/audit-log.ts'
import type { Tx } from '../database/transaction.ts'
import { storeDecisions } from '../explain/decisions.ts'
import { insertRefund } from '../money/commissions/refunds.ts'
import { rewardAnswer } from '../money/rewards/change-reward.ts'
import { addTerms, termsAt } from '../money/rewards/reward-terms.ts'
import type { Program } from '../programs/programs.ts'
import { reverseCommission } from '../tracking/commissions/commission-changes.ts'
import { earnForSales } from '../tracking/commissions/earn-commissions.ts'
import { earnForLeads } from '../tracking/commissions/earn-for-leads.ts'
import { decideLead, decideSale } from './decisions.ts'
import { createGroups } from './groups.ts'

/** $2.00 per lead and 20% of a customer's sales in the first year, held for two weeks. */
const TERMS = {
  partnerId: null,
  groupId: null,
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
/** How long the Gold group has existed. */
const GOLD_DAYS = 20

type Options = {
  program: Program
  /** The user who set the reward terms. */
  userId: string
  hashKey: string
  /** The click of each sale or its customer, by invoice. */
  clickOfInvoice: Map<string, string | null>
  since: Date
  until: Date
  /** Changes which partners' commissions go to review from then on. */
  suspension: { at: Date; run: () => Promise<void> }
}

/** Attributes the demo's leads and sales and creates their commissions with the production rules, in chronological order. */
export const createEarnings = async (tx: Tx, options: Options) => {
  const { program, userId, hashKey, clickOfInvoice, since, until, suspension } = options
  const programId = program.id
  const terms = { ...TERMS, currency: program.currency }
  await setTerms(tx, { programId, userId, terms, at: since })
  await createGroups(tx, { programId, userId, terms, at: new Date(until.getTime() - GOLD_DAYS * DAY_MS) })
  const leads = await tx
    .selectFrom('leads')
    .selectAll()
    .where('programId', '=', programId)
    .orderBy('settledAt')
    .execute()
  const sales = await tx.selectFrom('sales').selectAll().where('programId', '=', programId).orderBy('soldAt').execute()
  const historyOf = await loadVisitors(tx, programId, leads)
  const clickOf = ({ invoiceId }: { invoiceId: string }) => clickOfInvoice.get(invoiceId) ?? null
  // Each decision precedes its consequences. Batched, because a thousand statements would slow down the first start.
  const decisions = [
    ...leads.flatMap((lead) => decideLead(program, { lead, history: historyOf(lead.clickId) })),
    ...sales.map((sale) => {
      const clickId = clickOf(sale)
      return decideSale(program, { sale, history: clickId === null ? null : historyOf(clickId) })
    }),
  ]
  await inBatches(decisions, (batch) => storeDecisions(tx, batch))
  const settled = leads.flatMap(({ id: leadId, partnerId, clickId, visitorHash, day, settledAt }) =>
    settledAt === null || day === null
      ? []
      : [
          {
            programId,
            leadId,
            partnerId,
            clickId,
            visitorHash,
            day,
            settledAt,
            at: settledAt,
            isReportedAgain: false,
            isUnverified: false,
          },
        ],
  )
  const credited = sales.flatMap(({ id: saleId, clickId, partnerId, creditedAt: at, items: _, ...sale }) =>
    clickId === null || partnerId === null || at === null ? [] : [{ ...sale, saleId, clickId, partnerId, at }],
  )
  const isEarlier = ({ at }: { at: Date }) => at < suspension.at
  const earn = async (of: (event: { at: Date }) => boolean) => {
    await inBatches(settled.filter(of), (batch) => earnForLeads(tx, hashKey, batch))
    await inBatches(credited.filter(of), (batch) => earnForSales(tx, hashKey, { sales: batch }))
  }
  await earn(isEarlier)
  await suspension.run()
  await earn((event) => !isEarlier(event))
  for (const [index, sale] of sales.entries()) {
    const refundedAt = new Date(sale.soldAt.getTime() + 3 * DAY_MS)
    const isRefunded = index % REFUNDED_EVERY === 0 && sale.clickId !== null && refundedAt < until
    if (isRefunded) await refund(tx, { programId, sale, half: index % 2 === 0, refundedAt })
  }
}

type ProgramTerms = { programId: number; userId: string; terms: typeof TERMS & { currency: string }; at: Date }

const setTerms = async (tx: Tx, { programId, userId, terms, at }: ProgramTerms) => {
  await addTerms(tx, { programId, terms, at })
  const { currency } = terms
  const after = rewardAnswer(await termsAt(tx, { programId, partnerId: null, at }), { currency, own: false })
  await recordAudit(tx, {
    programId,
    userId,
    action: 'reward terms changed',
    subject: 'program reward terms',
    after,
    at,
  })
}

const BATCH_SIZE = 500

const inBatches = async <Item>(items: Item[], write: (batch: Item[]) => Promise<unknown>) => {
  for (let from = 0; from < items.length; from += BATCH_SIZE) await write(items.slice(from, from + BATCH_SIZE))
}

/** Each visitor's clicks and when their lead settled. */
const loadVisitors = async (tx: Tx, programId: number, leads: { clickId: string; settledAt: Date | null }[]) => {
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
  await reverseCommission(tx, { programId, sale, cause: 'refund', refundId, at: refundedAt })
}
