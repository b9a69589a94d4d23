import type { EventOutcome, ReplayAnswer } from '@tributary/contract'
import { sql } from 'kysely'
import type { Recorder } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { selectRefundedCents } from '../database/sql/refunded.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { isTransientError } from '../database/transient-errors.ts'
import type { Log } from '../log.ts'
import { findReportDecisions } from '../payments/payment-reports.ts'
import { listWorkspacePrograms } from '../payments/workspace-programs.ts'
import type { Audit } from '../platform/audit.ts'
import type { Program } from '../programs/programs.ts'
import { findChangedSales } from '../tracking/payments/changed-sales.ts'
import { reapplyEvent } from './apply-event.ts'
import { listEventsSince, type Outcome, type ReplayedEvent, storeOutcome } from './inbox.ts'
import { findInboxProgram } from './inbox-programs.ts'
import { readStoredEvent } from './translate-event.ts'

/** Events per page, so that no transaction stays open for long. */
const PAGE_SIZE = 100

type Deps = Recorder & { db: Database; log: Log }
type ReplayOptions = { program: Program; audit: Audit; since: Date; dryRun: boolean; after: string | null }
type CurrentOutcome = { fate: EventOutcome; reason: string }

/** Rolls back a dry run and carries its result. */
class DryRunRollback extends Error {
  readonly answer: ReplayAnswer
  constructor(answer: ReplayAnswer) {
    super('dry run')
    this.answer = answer
  }
}

/** An event that failed because of a bug of ours. */
class FailedEvent extends Error {
  readonly event: ReplayedEvent
  constructor(event: ReplayedEvent, cause: unknown) {
    super('could not apply processor event', { cause })
    this.event = event
  }
}

/**
 * Reprocesses one page of a workspace's stored events, oldest first. Idempotent. An event that fails stays unchanged: the page
 * restarts without it, so that it does not block the others.
 */
export const replayPage = async (deps: Deps, options: ReplayOptions): Promise<ReplayAnswer> => {
  const failed = new Set<number>()
  for (;;)
    try {
      return await replayWithout(failed, deps, options)
    } catch (error) {
      if (!(error instanceof FailedEvent)) throw error
      deps.log.error({ err: error.cause, eventId: error.event.eventId }, error.message)
      failed.add(error.event.id)
    }
}

const replayWithout = async (failed: Set<number>, deps: Deps, options: ReplayOptions): Promise<ReplayAnswer> => {
  try {
    return await inTransaction(deps.db, async (tx) => {
      const answer = await replayInTransaction(tx, deps, { ...options, failed })
      if (options.dryRun) throw new DryRunRollback(answer)
      await auditReplay(tx, options, { answer, at: deps.clock() })
      return answer
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.answer
    throw error
  }
}

/** One audit entry per page that changed something. */
const auditReplay = async (
  tx: Tx,
  { audit, since }: ReplayOptions,
  { answer, at }: { answer: ReplayAnswer; at: Date },
) => {
  const [changes, sales] = [answer.changes.length, answer.sales.length]
  if (changes === 0 && sales === 0) return
  const after = { since: since.toISOString(), events: answer.events, changes, sales }
  await audit(tx, { action: 'events replayed', subject: 'processor', after, at })
}

type PageOptions = ReplayOptions & { failed: Set<number> }

const replayInTransaction = async (
  tx: Tx,
  deps: Deps,
  { program, since, dryRun, after, failed }: PageOptions,
): Promise<ReplayAnswer> => {
  const inboxProgram = await findInboxProgram(tx, program.workspaceId)
  const { workspaceId } = program
  const before = await readWorkspaceTotals(tx, workspaceId)
  const { rows, remaining } = inboxProgram
    ? await listEventsSince(tx, {
        programId: inboxProgram.id,
        since,
        after: after === null ? null : Number(after),
        limit: PAGE_SIZE,
      })
    : { rows: [], remaining: 0 }
  const changes: ReplayAnswer['changes'] = []
  if (inboxProgram)
    for (const row of rows.filter(({ id }) => !failed.has(id))) {
      const [was, is] = await replayEvent(tx, deps, { inboxProgram, row })
      if (was.fate !== is.fate || was.reason !== is.reason)
        changes.push({ id: row.eventId, type: row.type, before: was, after: is })
    }
  const next = remaining > 0 ? String(rows.at(-1)?.id) : null
  const sales = await findChangedSales(tx, { db: deps.db, programIds: await listWorkspacePrograms(tx, program.id) })
  const [events, money] = [rows.length, { before, after: await readWorkspaceTotals(tx, workspaceId) }]
  return { dryRun, events, remaining, changes, sales, ...money, next }
}

const replayEvent = async (
  tx: Tx,
  deps: Deps,
  { inboxProgram, row }: { inboxProgram: Program; row: ReplayedEvent },
): Promise<[CurrentOutcome, CurrentOutcome]> => {
  const was = await currentOutcome(tx, inboxProgram.id, row)
  const event = readStoredEvent(row)
  // The connection that delivered a foreign event has already decided.
  const isSkipped = !event || row.reason === 'foreign_account'
  const { endpointProgramId } = row
  const source = { inboxProgram, endpointProgramId, programIds: [], accountId: null, livemode: null }
  const outcome = isSkipped ? null : await reapplyEvent(tx, deps, source, event).catch(throwFailedEvent(row))
  if (outcome && isChanged(row, outcome)) await storeOutcome(tx, { programId: inboxProgram.id, id: row.id, ...outcome })
  return [was, await currentOutcome(tx, inboxProgram.id, { ...row, ...outcome })]
}

const throwFailedEvent =
  (event: ReplayedEvent) =>
  (error: unknown): never => {
    throw isTransientError(error) ? error : new FailedEvent(event, error)
  }

const isChanged = (row: ReplayedEvent, outcome: Outcome) =>
  row.reportId !== outcome.reportId || row.fate !== outcome.fate || row.reason !== outcome.reason

type Decided = { reportId: number | null; fate: string | null; reason: string | null }

/** The current outcome of an event: that of its payment report, if it has one. */
const currentOutcome = async (
  tx: Tx,
  programId: number,
  { reportId, fate, reason }: Decided,
): Promise<CurrentOutcome> => {
  const [report] = reportId === null ? [] : await findReportDecisions(tx, { programId, reportIds: [reportId] })
  if (report) return { fate: report.outcome, reason: report.reason }
  return { fate: (fate ?? 'waiting') as EventOutcome, reason: reason ?? 'not_processed' }
}

type Totals = { sales: number; salesCents: number; refunds: number; refundedCents: number }

/** Totals of all sales and refunds, compared before and after a replay. */
const readWorkspaceTotals = async (tx: Tx, workspaceId: string): Promise<Totals> => {
  const { rows } = await sql<Totals>`
    WITH own AS (SELECT id FROM programs WHERE workspace_id = ${workspaceId}),
    live AS (SELECT * FROM sales WHERE program_id IN (SELECT id FROM own) AND voided_at IS NULL),
    touched AS (
      SELECT program_id, sale_id FROM processor_refunds WHERE program_id IN (SELECT id FROM own)
      UNION SELECT refund.program_id, coalesce(refunded_sale.merged_into, refunded_sale.id)
      FROM refunds refund JOIN sales refunded_sale ON refunded_sale.program_id = refund.program_id AND refunded_sale.id = refund.sale_id
      WHERE refund.program_id IN (SELECT id FROM own)),
    refunded AS (
      SELECT ${selectRefundedCents('sale')} AS cents
      FROM touched JOIN live sale ON sale.program_id = touched.program_id AND sale.id = touched.sale_id)
    SELECT
      (SELECT count(*) FROM live) AS sales,
      (SELECT coalesce(sum(amount_cents), 0)::bigint FROM live) AS sales_cents,
      (SELECT count(*) FROM refunded WHERE cents > 0) AS refunds,
      (SELECT coalesce(sum(cents), 0)::bigint FROM refunded) AS refunded_cents`.execute(tx)
  return rows[0] ?? { sales: 0, salesCents: 0, refunds: 0, refundedCents: 0 }
}
