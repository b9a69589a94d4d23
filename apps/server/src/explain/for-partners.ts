import { type ReasonCode, type Step, say } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { AdjustmentFacts } from '../money/adjustments/decide-adjustment.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import type { ExplainedEvent } from './answer.ts'
import { onHold } from './commission-words.ts'
import type { Decision } from './decisions.ts'
import { describeProgram, type ExplainedAdjustment } from './member-words.ts'
import { toStep } from './parts.ts'
import { reasonFor } from './words.ts'

type Commission = Pick<
  CommissionRow,
  | ('id' | 'partnerId' | 'saleId' | 'leadId' | 'reviewReasons' | 'voidReason' | 'state' | 'adjustment' | 'byHand')
  | ('heldForApproval' | 'partnerStatus')
>

/**
 * Why each commission is not payable, in review or reversed, as a partner may read it. Refunds, disputes and reviews are stored as
 * decisions, listed in the order they happened; a pending review has its reasons on the commission.
 */
export const reasonsForPartners = async (
  db: Database,
  programId: number,
  commissions: Commission[],
): Promise<Map<number, Step[]>> => {
  const ids = (name: 'saleId' | 'leadId') => commissions.flatMap((row) => row[name] ?? [])
  const { rows } = await sql<Found>`
    SELECT id, sale_id, lead_id, subject, subject_id, reason FROM decisions
    WHERE program_id = ${programId} AND subject IN ('refund', 'dispute', 'review') AND sale_id = ANY (${ids('saleId')}::bigint[])
    UNION ALL
    SELECT id, sale_id, lead_id, subject, subject_id, reason FROM decisions
    WHERE program_id = ${programId} AND subject = 'review' AND lead_id = ANY (${ids('leadId')}::bigint[])
    ORDER BY id`.execute(db)
  const assignments = await findAssignments(db, programId, ids('saleId'))
  return new Map(
    commissions.map((commission) => {
      const { id, saleId, state, reviewReasons, heldForApproval, partnerStatus } = commission
      const found = rows.filter((row) => concerns(row, commission)).map(({ reason }) => reason)
      const waiting = state === 'review' ? (reviewReasons as ReasonCode[]) : []
      return [
        id,
        [
          ...(heldForApproval ? [toStep('fact', 'partner_not_approved', say`${onHold(partnerStatus, true)}.`)] : []),
          ...[...new Set([...waiting, ...found])].map((reason) => describeReason(reason, commission)),
          ...describeTaken(
            commission,
            assignments.filter((assignment) => assignment.saleId === saleId),
          ),
        ],
      ]
    }),
  )
}

type Found = { saleId: number | null; leadId: number | null; subject: string; subjectId: string; reason: ReasonCode }

/** A sale that changed partners has several commissions; a review is about one of them. A void that was undone no longer matters. */
const concerns = ({ saleId, leadId, subject, subjectId, reason }: Found, commission: Commission) => {
  if (saleId !== commission.saleId || leadId !== commission.leadId) return false
  if (subject === 'review' && subjectId !== String(commission.id)) return false
  return reason === 'commission_voided' ? commission.voidReason !== null : reason !== 'void_undone'
}

const describeReason = (reason: ReasonCode, { voidReason }: Commission) =>
  toStep(
    'reason',
    reason,
    reason === 'commission_voided' ? describeProgram(reason, voidReason) : reasonFor('partner', reason),
  )

/** A credit or move of a sale. */
type Assignment = Pick<ExplainedAdjustment, 'id' | 'fromPartnerId' | 'reason' | 'isUndone'>

/** The credits and moves of these sales, oldest first. A sale merged into another is that one. */
const findAssignments = async (db: Database, programId: number, saleIds: number[]) => {
  const { rows } = await sql<Assignment & { saleId: number }>`
    SELECT coalesce(named.merged_into, named.id) AS sale_id, assigned.id, assigned.from_partner_id, assigned.reason,
      reversal.adjustment_id IS NOT NULL AS is_undone
    FROM adjustments assigned JOIN sales named ON named.program_id = ${programId} AND named.id = assigned.sale_id
    LEFT JOIN adjustment_reversals reversal ON reversal.program_id = assigned.program_id AND reversal.adjustment_id = assigned.id
    WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move')
      AND coalesce(named.merged_into, named.id) = ANY (${saleIds}::bigint[])
    ORDER BY assigned.id`.execute(db)
  return rows
}

/** `createdBy`: the credit or move that created the commission, or 0 if the automatic rules did. */
type Created = { partnerId: number; createdBy: number }

/** The move that took a commission from its partner, who must not read why a sale moved between others. */
const moveAway = (assignments: Assignment[], { partnerId, createdBy }: Created) => {
  const away = assignments.filter(({ id, fromPartnerId }) => id > createdBy && fromPartnerId === partnerId)
  return away.find(({ isUndone }) => !isUndone) ?? away[0]
}

type Taken = Pick<CommissionRow, 'partnerId' | 'adjustment' | 'byHand'>

/** What an adjustment did to a commission, if it took it away. `assignments`: all of its sale, oldest first. */
const describeTaken = ({ partnerId, adjustment, byHand }: Taken, assignments: Assignment[]): Step[] => {
  if (adjustment?.type === 'void') return []
  if (byHand && adjustment?.reversed)
    return [toStep('history', 'adjustment_undone', describeProgram('adjustment_undone', null))]
  const createdBy = byHand ? (adjustment?.id ?? 0) : 0
  if (!assignments.some(({ id, isUndone }) => id > createdBy && !isUndone)) return []
  const move = moveAway(assignments, { partnerId, createdBy })
  return [toStep('history', 'moved_by_hand', describeProgram('moved_by_hand', move?.reason))]
}

/** The event without what concerns other partners only: why one of them was credited, and undoing what a later move replaced. */
export const withoutOthers = (explained: ExplainedEvent, partnerId: number | null): ExplainedEvent => {
  let active: number[] = []
  return {
    ...explained,
    adjustments: explained.adjustments.map((adjustment) =>
      adjustment.type === 'credit' && adjustment.partnerId !== partnerId ? { ...adjustment, reason: '' } : adjustment,
    ),
    decisions: explained.decisions.filter(({ rule, subjectId, facts }) => {
      if (rule !== 'adjustment') return true
      const id = Number(subjectId)
      const isUndo = (facts as AdjustmentFacts).action === 'undo'
      active = isUndo ? active.filter((other) => other !== id) : [...active, id]
      return !isUndo || active.every((other) => other < id)
    }),
  }
}

/**
 * What a partner reads about one of the commissions of a sale. If it was taken away, the history ends there: what happened to the
 * sale later concerns another commission, even if the partner got the sale back.
 */
export const untilTakenAway = (
  explained: ExplainedEvent,
  of: { partnerId: number; commissionId: number },
): ExplainedEvent => {
  const { decisions, adjustments, commission } = explained
  if (of.commissionId === commission?.id) return explained
  const assignments = adjustments.filter(({ type }) => type !== 'void')
  const createdBy = assignments.find(({ commissionId }) => commissionId === of.commissionId)?.id ?? 0
  const move = moveAway(assignments, { partnerId: of.partnerId, createdBy })
  const isEnd = ({ rule, subjectId, facts }: Decision) =>
    rule === 'adjustment' && subjectId === String((facts as AdjustmentFacts).action === 'undo' ? createdBy : move?.id)
  const end = decisions.findIndex(isEnd)
  return {
    ...explained,
    commission: null,
    payouts: [],
    review: null,
    release: null,
    decisions: end === -1 ? decisions : decisions.slice(0, end + 1),
  }
}
