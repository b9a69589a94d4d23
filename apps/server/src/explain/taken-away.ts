import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { AdjustmentFacts } from '../money/adjustments/decide-adjustment.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import type { ExplainedAdjustment } from './adjustment-words.ts'
import type { ExplainedEvent } from './answer.ts'
import type { Decision } from './decisions.ts'
import { reasonFor } from './words.ts'

/** A credit or move of a sale. */
type Assignment = Pick<ExplainedAdjustment, 'id' | 'fromPartnerId' | 'reason' | 'isUndone'>

/** The credits and moves of these sales, oldest first. A sale merged into another is that one. */
export const findAssignments = async (db: Database, programId: number, saleIds: number[]) => {
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

/** For partners: what an adjustment did to a commission, if it took it away. `assignments`: all of its sale, oldest first. */
export const takenAwayForPartner = ({ partnerId, adjustment, byHand }: Taken, assignments: Assignment[]): string[] => {
  if (adjustment?.type === 'void') return []
  if (byHand && adjustment?.reversed) return [reasonFor('partner', 'adjustment_undone')]
  const createdBy = byHand ? (adjustment?.id ?? 0) : 0
  if (!assignments.some(({ id, isUndone }) => id > createdBy && !isUndone)) return []
  const moved = reasonFor('partner', 'moved_by_hand')
  const move = moveAway(assignments, { partnerId, createdBy })
  return [move ? `${moved.slice(0, -1)}: “${move.reason}”.` : moved]
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
    ...{ commission: null, payouts: [], review: null },
    decisions: end === -1 ? decisions : decisions.slice(0, end + 1),
  }
}
