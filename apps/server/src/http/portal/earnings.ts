import { portalEarningsQuery, portalSalesQuery, type ReasonCode } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { readDateRange } from '../../events/overview/days.ts'
import { reasonsForPartners } from '../../explain/for-partners.ts'
import { describeAdded } from '../../explain/member-words.ts'
import { toSentence } from '../../explain/parts.ts'
import { findLead, findSale } from '../../explain/subjects.ts'
import { reasonFor } from '../../explain/words.ts'
import type { CommissionRow } from '../../money/commissions/commission-states.ts'
import { findCommissionRow, findCommissionsById, listCommissions } from '../../money/commissions/list-commissions.ts'
import { explainLead, explainSale } from '../../tracking/explain/explain.ts'
import { showSales } from '../../tracking/sales/show-sales.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { answerList, orNotFound, pathId } from '../lists.ts'
import { check } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

/** Only what a partner may see: no invoice, no customer, no other partner. */
export const safeEarnings = async (db: Database, programId: number, rows: CommissionRow[]) => {
  const reasons = await reasonsForPartners(db, programId, rows)
  return rows.map((row) => ({
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
    because: (reasons.get(row.id) ?? []).map(toSentence),
    reasons: reasons.get(row.id) ?? [],
  }))
}

/** A partner's sales and earnings. */
export const portalEarnings = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const asPartner = requirePartner(dependencies)
  const partnerKey = (c: Call) => ({ programId: c.get('program').id, partnerId: c.get('partner').partnerId })

  app.get('/api/portal/programs/:programId/sales', asPartner, async (c) => {
    const db = c.get('db')
    const { dateFrom, dateTo, ...query } = check(portalSalesQuery, c.req.query())
    const moments = await readDateRange(db, c.get('program').timezone, { dateFrom, dateTo })
    const { rows, total } = await showSales(db, { ...partnerKey(c), ...query, ...moments })
    const ids = rows.flatMap(({ commissionId }) => commissionId ?? [])
    const commissions = await findCommissionsById(db, { ...partnerKey(c), ids, at: clock() })
    const earnings = await safeEarnings(db, c.get('program').id, commissions)
    const earningsById = new Map(earnings.map((earning) => [earning.id, earning]))
    const safe = rows.map(({ id, soldAt, amountCents, refundedCents, currency, commissionId, noCommissionReason }) => ({
      id,
      soldAt,
      amountCents,
      refundedCents,
      currency,
      earning: commissionId === null ? null : (earningsById.get(commissionId) ?? null),
      noEarningReason: noCommissionReason && reasonFor('partner', noCommissionReason as ReasonCode),
    }))
    return answerList(c, safe, { ...query, total })
  })

  app.get('/api/portal/programs/:programId/earnings', asPartner, async (c) => {
    const db = c.get('db')
    const query = check(portalEarningsQuery, c.req.query())
    const { rows, total } = await listCommissions(db, { ...query, ...partnerKey(c), at: clock() })
    return answerList(c, await safeEarnings(db, c.get('program').id, rows), { ...query, total })
  })

  app.get('/api/portal/programs/:programId/earnings/:commissionId', asPartner, async (c) => {
    const db = c.get('db')
    const id = orNotFound(pathId(c, 'commissionId'), 'earning')
    const viewer = { ...partnerKey(c), audience: 'partner' as const }
    const { programId } = viewer
    const commission = orNotFound(await findCommissionRow(db, { ...partnerKey(c), id, at: clock() }), 'earning')
    const [earning] = await safeEarnings(db, programId, [commission])
    const { saleId, leadId } = commission
    const sale = saleId === null ? undefined : await findSale(db, { programId, id: saleId })
    const lead = leadId === null ? undefined : await findLead(db, { programId, id: leadId })
    const deps = { ...dependencies, db }
    const explanation = sale
      ? await explainSale(deps, { viewer, sale, commissionId: id })
      : lead && (await explainLead(deps, { viewer, lead }))
    const history = explanation?.steps ?? describeAdded(commission)
    return c.json({ data: { ...earning, story: history.map(toSentence), history } })
  })
}
