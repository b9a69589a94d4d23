import type { AdjustmentType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'
import type { AdjustmentDecision, AdjustmentFacts } from '../money/adjustments/decide-adjustment.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import type { Decision } from './decisions.ts'
import { withStatus } from './sentences.ts'
import { capital, type Words } from './words.ts'

/** An adjustment of a sale, or of the commission of a sale or lead, with the names of the members who made and undid it. */
export type ExplainedAdjustment = {
  id: number
  type: AdjustmentType
  partnerId: number
  fromPartnerId: number | null
  /** The commission that it created or voided. */
  commissionId: number
  reason: string
  by: string | null
  undoReason: string | null
  undoneBy: string | null
  isUndone: boolean
}

type StoredAdjustment = Omit<ExplainedAdjustment, 'by' | 'undoneBy'> & {
  createdBy: string | null
  reversedBy: string | null
}

/** Oldest first. */
export const adjustmentsOf = async (
  db: Database,
  { programId, of }: { programId: number; of: { leadId: number } | { saleId: number } },
) => {
  const event = 'leadId' in of ? sql`earned.lead_id = ${of.leadId}` : sql`earned.sale_id = ${of.saleId}`
  const saleId = 'saleId' in of ? of.saleId : 0
  const { rows } = await sql<StoredAdjustment>`
    WITH assigned AS (
      SELECT id FROM adjustments WHERE program_id = ${programId} AND type IN ('credit', 'move') AND sale_id IN (
        SELECT ${saleId}::bigint UNION ALL
        SELECT merged.id FROM sales merged WHERE merged.program_id = ${programId} AND merged.merged_into = ${saleId})),
    concerned AS MATERIALIZED (
      SELECT id, adjustment_id FROM commissions earned
      WHERE program_id = ${programId} AND (${event} OR adjustment_id IN (SELECT id FROM assigned)))
    SELECT adjustment.id, adjustment.type, adjustment.partner_id, adjustment.from_partner_id, concerned.id AS commission_id,
      adjustment.reason, adjustment.created_by, reversal.reason AS undo_reason, reversal.reversed_by,
      reversal.adjustment_id IS NOT NULL AS is_undone
    FROM concerned JOIN adjustments adjustment ON adjustment.program_id = ${programId}
      AND (adjustment.id = concerned.adjustment_id OR adjustment.commission_id = concerned.id)
    LEFT JOIN adjustment_reversals reversal ON reversal.program_id = adjustment.program_id AND reversal.adjustment_id = adjustment.id
    ORDER BY adjustment.id`.execute(db)
  const users = await usersById(
    db,
    rows.flatMap(({ createdBy, reversedBy }) => [createdBy, reversedBy]),
  )
  return rows.map(
    ({ createdBy, reversedBy, ...adjustment }): ExplainedAdjustment => ({
      ...adjustment,
      by: nameOf(users, createdBy),
      undoneBy: nameOf(users, reversedBy),
    }),
  )
}

/** A sale credited, moved or given back manually. Merchants see who decided; the partners concerned see why. */
export const adjustmentSentence = (decision: Decision, all: ExplainedAdjustment[], words: Words) => {
  const facts = decision.facts as AdjustmentFacts
  const result = decision.result as AdjustmentDecision
  const adjustment = all.find(({ id }) => String(id) === decision.subjectId)
  if (facts.action === 'undo') {
    const given = { by: adjustment?.undoneBy, reason: adjustment?.undoReason }
    const undone = withReason(words.reason('adjustment_undone'), given, words)
    return facts.partnerId === null
      ? `${undone} The sale is no longer credited to a partner.`
      : `${undone} The sale is credited to ${words.partner(facts.partnerId)} again.`
  }
  const { partnerId, fromPartnerId } = facts
  const to = words.partner(partnerId)
  const isMove = facts.action === 'move' && fromPartnerId !== null
  const what = isMove
    ? words.reason('moved_by_hand').replace('to another partner', () => `from ${words.partner(fromPartnerId)} to ${to}`)
    : words.reason('credited_by_hand')
  const why = withReason(what, adjustment ?? {}, words)
  if (result.outcome === 'undone' || result.outcome === 'refused' || !words.canSee(partnerId)) return why
  const { reward, payableAt, termsVersion, isInReview } = result
  const amount = words.money(reward.amountCents, reward.currency)
  const earned = `${capital(to)} ${to === 'you' ? 'earn' : 'earns'} a commission of ${amount} for it${words.terms(termsVersion)}`
  return isInReview
    ? `${why} ${earned}, which went to review ${withStatus(words.because('partner_suspended'), facts.partnerStatus)}`
    : `${why} ${earned}, payable from ${words.day(payableAt)}.`
}

/** A void or its undoing, if the decision is one. */
export const voidSentence = (decision: Decision, all: ExplainedAdjustment[], words: Words): string | null => {
  if (decision.reason !== 'commission_voided' && decision.reason !== 'void_undone') return null
  const voids = all.filter(({ type, commissionId }) => type === 'void' && String(commissionId) === decision.subjectId)
  const wasUndone = decision.reason === 'void_undone'
  const adjustment = wasUndone ? voids.findLast(({ isUndone }) => isUndone) : voids.at(-1)
  const given = wasUndone ? { by: adjustment?.undoneBy, reason: adjustment?.undoReason } : adjustment
  return withReason(words.reason(decision.reason), given ?? {}, words)
}

/** For merchants: which partner gets the sale by a member's decision. */
export const assignedSentence = (name: string, adjustment: ExplainedAdjustment, words: Words) => {
  const { type, partnerId, fromPartnerId, reason, by } = adjustment
  const isMove = type === 'move' && fromPartnerId !== null
  const to = words.partner(partnerId)
  const what = isMove ? `moved from ${words.partner(fromPartnerId)} to ${to}` : `credited to ${to}`
  const only = isMove ? ' Only this sale was moved.' : ''
  return `${name} was ${what} by ${by ?? 'a former member'}: “${reason}”.${only}`
}

type Given = { by?: string | null; reason?: string | null }

/** Adds the reason, and for merchants the name of the member: "Ana voided the commission: “A test order”." */
export const withReason = (sentence: string, { by, reason }: Given, words: Words) => {
  if (!reason) return sentence
  const named =
    words.reader.audience === 'partner' ? sentence : sentence.replace(/^A member/, () => by ?? 'A former member')
  return `${named.slice(0, -1)}: “${reason}”.`
}

type Adjusted = Pick<CommissionRow, 'kind' | 'adjustment' | 'saleId'>

const ADDED = { bonus: 'The program added a bonus.', manual: 'The program added a commission manually.' }

/** For partners: how a bonus or manual commission came about. */
export const addedSentences = ({ kind, adjustment }: Adjusted): string[] => {
  if (kind !== 'bonus' && kind !== 'manual') return []
  const added =
    adjustment && adjustment.type !== 'void' ? `${ADDED[kind].slice(0, -1)}: “${adjustment.reason}”.` : ADDED[kind]
  return [added, ...(adjustment?.reversed ? ['The program took it back.'] : [])]
}
