import type { ReasonCode } from '@tributary/contract'
import { PORTAL_BALANCES, PORTAL_EARNINGS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { readDateRange } from '../../events/overview/days.ts'
import { readPerformance } from '../../events/overview/performance.ts'
import { reasonsForPartners } from '../../explain/for-partners.ts'
import { describeAdded } from '../../explain/member-words.ts'
import { toSentence } from '../../explain/parts.ts'
import { findLead, findSale } from '../../explain/subjects.ts'
import { reasonFor } from '../../explain/words.ts'
import { partnersOfCaller } from '../../partners/partner-users.ts'
import { findPayoutDetails, type PartnerKey } from '../../partners/payout-details.ts'
import { runs } from '../../platform/runs.ts'
import { explainLead, explainSale } from '../../tracking/explain/explain.ts'
import { showSales } from '../../tracking/sales/show-sales.ts'
import type { CommissionRow } from '../commissions/commission-states.ts'
import { findCommissionRow, findCommissionsById, listCommissions } from '../commissions/list-commissions.ts'
import { partnerBalances } from '../ledger/next-payable.ts'
import { findNextPayout } from '../payouts/next-payout.ts'

export const portalBalances = runs(
  PORTAL_BALANCES,
  {},
  {
    list: async ({ db, actor, clock }) => {
      const at = clock()
      const rows = []
      for (const { programId, partnerId } of await partnersOfCaller(db, actor)) {
        const key = { programId, partnerId, at }
        const owed = await ownBalances(db, key)
        const isOwed = owed.some(({ payableCents, batchedCents }) => payableCents > 0 || batchedCents > 0)
        const needsPayoutDetails = isOwed && (await findPayoutDetails(db, key)) === null
        rows.push({ programId, balances: owed, needsPayoutDetails })
      }
      return rows
    },

    overview: async ({ db, program, partner: { partnerId }, clock, query: { partnerId: _, ...query } }) => {
      const at = clock()
      const key = { programId: program.id, partnerId }
      return {
        performance: await readPerformance(db, { program, query, at, partnerId }),
        balances: await ownBalances(db, { ...key, at }),
        nextPayout: await findNextPayout(db, { ...key, timezone: program.timezone, at }),
      }
    },
  },
)

const ownBalances = async (db: Database, key: PartnerKey & { at: Date }) =>
  (await partnerBalances(db, key)).map(({ partnerId: _, ...balance }) => balance)

/** The key of a thing has the caller's partnerId, so a partner finds only their own. */
export const portalEarnings = runs(
  PORTAL_EARNINGS,
  { commissionId: { what: 'earning', find: findCommissionRow } },
  {
    sales: async ({ db, program, partner: { partnerId }, clock, query: { dateFrom, dateTo, ...query } }) => {
      const key = { programId: program.id, partnerId }
      const moments = await readDateRange(db, program.timezone, { dateFrom, dateTo })
      const { rows, total } = await showSales(db, { ...key, ...query, ...moments })
      const ids = rows.flatMap(({ commissionId }) => commissionId ?? [])
      const commissions = await findCommissionsById(db, { ...key, ids, at: clock() })
      const earnings = new Map((await safeEarnings(db, program.id, commissions)).map((row) => [row.id, row]))
      return { rows: rows.map((sale) => safeSale(sale, earnings)), total }
    },

    list: async ({ db, program: { id: programId }, partner: { partnerId }, clock, query }) => {
      const { rows, total } = await listCommissions(db, { ...query, programId, partnerId, at: clock() })
      return { rows: await safeEarnings(db, programId, rows), total }
    },

    get: async ({ db, program: { id: programId }, partner: { partnerId }, commission, clock }) => {
      const viewer = { programId, partnerId, audience: 'partner' as const }
      const { id: commissionId, saleId, leadId } = commission
      const sale = saleId === null ? undefined : await findSale(db, { programId, id: saleId })
      const lead = leadId === null ? undefined : await findLead(db, { programId, id: leadId })
      const explanation = sale
        ? await explainSale({ db, clock }, { viewer, sale, commissionId })
        : lead && (await explainLead({ db, clock }, { viewer, lead }))
      const history = explanation?.steps ?? describeAdded(commission)
      const reasons = await reasonsForPartners(db, programId, [commission])
      return { ...safeEarning(commission, reasons), story: history.map(toSentence), history }
    },
  },
)

type Sale = Awaited<ReturnType<typeof showSales>>['rows'][number]

const safeSale = (
  { id, soldAt, amountCents, refundedCents, currency, commissionId, noCommissionReason }: Sale,
  earnings: Map<number, ReturnType<typeof safeEarning>>,
) => ({
  id,
  soldAt,
  amountCents,
  refundedCents,
  currency,
  earning: commissionId === null ? null : (earnings.get(commissionId) ?? null),
  noEarningReason: noCommissionReason && reasonFor('partner', noCommissionReason as ReasonCode),
})

/** Only what a partner may see: no invoice, no customer, no other partner. */
export const safeEarnings = async (db: Database, programId: number, rows: CommissionRow[]) => {
  const reasons = await reasonsForPartners(db, programId, rows)
  return rows.map((row) => safeEarning(row, reasons))
}

const safeEarning = (row: CommissionRow, reasonsById: Awaited<ReturnType<typeof reasonsForPartners>>) => {
  const reasons = reasonsById.get(row.id) ?? []
  return {
    id: row.id,
    kind: row.kind,
    amountCents: row.amountCents,
    reversedCents: row.reversedCents,
    currency: row.currency,
    state: row.state,
    paidCents: row.paidCents,
    inPayout: row.inPayout,
    inPayoutCents: row.inPayoutCents,
    disputedCents: row.disputedCents,
    heldForApproval: row.heldForApproval,
    partnerStatus: row.partnerStatus,
    voidReason: row.voidReason,
    reason: row.byHand && row.adjustment?.type !== 'void' ? (row.adjustment?.reason ?? null) : null,
    earnedAt: row.earnedAt,
    payableAt: row.payableAt,
    because: reasons.map(toSentence),
    reasons,
  }
}
