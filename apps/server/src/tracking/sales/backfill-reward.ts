import { sql } from 'kysely'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import { lockCustomerByClick } from '../../customers/customers.ts'
import { lockLeadByClick } from '../../customers/leads.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { findCommissionOfLead, findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { findPromisedCents } from '../../money/ledger/ledger.ts'
import {
  advanceBackfill,
  type Backfill,
  backfillAnswer,
  findBackfill,
  findOpenBackfills,
  finishBackfill,
  lockOpenBackfill,
} from '../../money/rewards/reward-backfills.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { lockCustomerSales } from '../../sales/customer-sales.ts'
import { earnLate } from '../commissions/commission-changes.ts'
import { earnForLeads } from '../commissions/earn-for-leads.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'

export type BackfillDeps = { db: Database; clock: Clock; hashKey: string }

/**
 * Applies a program's first reward terms to earlier leads and sales, one customer per transaction. Stops after `maxCustomers`,
 * so the request gets a timely response; housekeeping does the rest.
 */
export const runBackfill = async (
  deps: BackfillDeps,
  { programId, maxCustomers }: { programId: number; maxCustomers: number },
) => {
  for (let customers = 0; customers < maxCustomers; customers++)
    if (!(await inTransaction(deps.db, (tx) => backfillNext(tx, deps, programId)))) break
  return findBackfill(deps.db, programId)
}

const CUSTOMERS_PER_RUN = 5_000

/** Continues backfills that a request left unfinished or a restart interrupted. */
export const finishBackfills = async (deps: BackfillDeps) => {
  for (const programId of await findOpenBackfills(deps.db))
    await runBackfill(deps, { programId, maxCustomers: CUSTOMERS_PER_RUN })
}

/** Returns false when no customer is left. */
const backfillNext = async (tx: Tx, { clock, hashKey }: BackfillDeps, programId: number): Promise<boolean> => {
  const backfill = await lockOpenBackfill(tx, programId)
  const program = backfill && (await findProgram(tx, programId))
  if (!backfill || !program) return false
  const at = clock()
  const clickId = await findNextCustomer(tx, backfill)
  if (clickId === null) {
    await finish(tx, backfill, at)
    return false
  }
  await lockCustomerByClick(tx, { programId, clickId })
  const customer = { program, clickId, until: backfill.requestedAt, at }
  const lead = await earnForEarlierLead(tx, hashKey, customer)
  const sales = await earnForEarlierSales(tx, hashKey, customer)
  const earned = []
  for (const { id: commissionId, currency } of [...lead, ...sales])
    earned.push({ currency, amountCents: await findPromisedCents(tx, { programId, commissionId }) })
  await advanceBackfill(tx, backfill, {
    clickId,
    leads: lead.length,
    sales: sales.length,
    earned,
  })
  return true
}

/** The next customer, by click ID, with a settled lead or credited sale that has no commission and predates the request. */
const findNextCustomer = async (tx: Tx, { programId, lastClickId, requestedAt }: Backfill) => {
  const { rows } = await sql<{ clickId: string | null }>`
    SELECT min(click_id) AS click_id FROM (
      (SELECT lead.click_id FROM leads lead
        WHERE lead.program_id = ${programId} AND lead.click_id > ${lastClickId} AND lead.settled_at <= ${requestedAt}
          AND NOT EXISTS (SELECT FROM commissions earned
            WHERE earned.program_id = lead.program_id AND earned.lead_id = lead.id)
        ORDER BY lead.click_id LIMIT 1)
      UNION ALL
      (SELECT sale.click_id FROM sales sale
        WHERE sale.program_id = ${programId} AND sale.click_id > ${lastClickId} AND sale.sold_at <= ${requestedAt}
          AND sale.voided_at IS NULL AND NOT EXISTS (SELECT FROM commissions earned
            WHERE earned.program_id = sale.program_id AND earned.sale_id = sale.id)
        ORDER BY sale.click_id LIMIT 1)) customer`.execute(tx)
  return rows[0]?.clickId ?? null
}

type EarlierCustomer = { program: Program; clickId: string; until: Date; at: Date }
type NewCommissions = { id: number; currency: string }[]

const earnForEarlierLead = async (
  tx: Tx,
  hashKey: string,
  { program, clickId, until, at }: EarlierCustomer,
): Promise<NewCommissions> => {
  const programId = program.id
  const lead = await lockLeadByClick(tx, { programId, clickId })
  if (!lead?.settledAt || lead.day === null || lead.settledAt > until) return []
  const { id: leadId, partnerId, visitorHash, day, settledAt } = lead
  if (await findCommissionOfLead(tx, { programId, leadId })) return []
  const isReportedAgain = lead.rewardedBefore || lead.unpaidBefore
  const isUnverified = lead.settledBy === 'browser' && lead.confirmedAt === null
  const earning = {
    programId,
    leadId,
    partnerId,
    clickId,
    visitorHash,
    day,
    isReportedAgain,
    isUnverified,
    settledAt,
    at,
  }
  await earnForLeads(tx, hashKey, [earning])
  await markDays(tx, [{ programId, day }])
  const commission = await findCommissionOfLead(tx, { programId, leadId })
  return commission ? [commission] : []
}

/** Processes sales in the order they were made, so the customer's first sale is decided first. */
const earnForEarlierSales = async (
  tx: Tx,
  hashKey: string,
  { program, clickId, until, at }: EarlierCustomer,
): Promise<NewCommissions> => {
  const programId = program.id
  const commissions: NewCommissions = []
  for (const sale of await lockCustomerSales(tx, { programId, clickId })) {
    const { id: saleId, partnerId, amountCents, items, currency, soldAt, day } = sale
    if (partnerId === null || soldAt > until || (await findCommissionOfSale(tx, { programId, saleId }))) continue
    // Also applies refunds and disputes that happened since.
    await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, items, currency, soldAt, at })
    await markDays(tx, [{ programId, day }])
    const commission = await findCommissionOfSale(tx, { programId, saleId })
    if (commission) commissions.push(commission)
  }
  await settleFirstSale(tx, hashKey, { programId, clickId, at })
  return commissions
}

const finish = async (tx: Tx, backfill: Backfill, at: Date) => {
  const { programId, termsVersion, requestedBy: userId } = backfill
  await finishBackfill(tx, { programId, at })
  const { finished: _, ...after } = backfillAnswer(backfill)
  const entry = { action: 'reward terms applied to earlier events', subject: `reward terms ${termsVersion}`, after }
  await recordAudit(tx, { programId, userId, ...entry, at })
}
