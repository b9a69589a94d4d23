import {
  type AdjustmentType,
  MEMBER_ACTIONS,
  type MemberReason,
  type Part,
  PROGRAM_ACTIONS,
  type Step,
  say,
} from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'
import type { AdjustmentDecision, AdjustmentFacts } from '../money/adjustments/decide-adjustment.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import type { Decision } from './decisions.ts'
import { toStep } from './parts.ts'
import type { Words } from './words.ts'

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

export type DecidedReview = { note: string | null; decidedBy: string | null }

/** The latest review decision about a commission, or null. */
export const decidedReviewOf = async (
  db: Database,
  { programId, commissionId }: { programId: number; commissionId: number },
): Promise<DecidedReview | null> => {
  const row = await db
    .selectFrom('commissionReviews')
    .select(['decisionNote as note', 'decidedBy'])
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .where('decision', 'is not', null)
    .executeTakeFirst()
  if (!row) return null
  return { note: row.note, decidedBy: nameOf(await usersById(db, [row.decidedBy]), row.decidedBy) }
}

type Given = { by?: string | null | undefined; reason?: string | null | undefined }

const quote = (reason: string | null | undefined) => (reason ? `: “${reason}”` : '')

/** Merchants see who decided: "Ana voided the commission: “A test order”." */
const describeMember = (code: MemberReason, { by, reason }: Given, action: Part[] | string = MEMBER_ACTIONS[code]) =>
  say`${reason ? (by ?? 'A former member') : 'A member'} ${action}${quote(reason)}.`

/** Partners see what the program decided. */
export const describeProgram = (
  code: MemberReason,
  reason: string | null | undefined,
  action: Part[] | string = PROGRAM_ACTIONS[code],
) => say`The program ${action}${quote(reason)}.`

const describeMemberTo = (words: Words, code: MemberReason, given: Given, action?: Part[]) =>
  words.isPartner ? describeProgram(code, given.reason, action) : describeMember(code, given, action)

/** A sale credited, moved or given back manually. Merchants see who decided; the partners concerned see why. */
export const describeAdjustment = (decision: Decision, all: ExplainedAdjustment[], words: Words): Part[] => {
  const facts = decision.facts as AdjustmentFacts
  const result = decision.result as AdjustmentDecision
  const adjustment = all.find(({ id }) => String(id) === decision.subjectId)
  if (facts.action === 'undo') {
    const given = { by: adjustment?.undoneBy, reason: adjustment?.undoReason }
    const undone = describeMemberTo(words, 'adjustment_undone', given)
    return facts.partnerId === null
      ? say`${undone} The sale is no longer credited to a partner.`
      : say`${undone} The sale is credited to ${words.partner(facts.partnerId)} again.`
  }
  const { partnerId, fromPartnerId } = facts
  const why =
    facts.action === 'move' && fromPartnerId !== null
      ? describeMemberTo(words, 'moved_by_hand', adjustment ?? {}, movedSale(fromPartnerId, partnerId, words))
      : describeMemberTo(words, 'credited_by_hand', adjustment ?? {})
  if (result.outcome === 'undone' || result.outcome === 'refused' || !words.canSee(partnerId)) return why
  const { reward, payableAt, termsVersion, isInReview } = result
  const terms = words.terms(termsVersion)
  const earns = words.isPartner ? 'You earn' : say`${words.partner(partnerId)} earns`
  const earned = say`${earns} a commission of ${words.reward(reward)} for it${terms ? ` under ${terms}` : ''}`
  return isInReview
    ? say`${why} ${earned}, which went to review ${words.because('partner_suspended', facts.partnerStatus)}`
    : say`${why} ${earned}, payable from ${words.day(payableAt)}.`
}

const movedSale = (from: number, to: number, words: Words) =>
  say`moved the sale from ${words.partner(from)} to ${words.partner(to)}`

/** A void or its undoing, if the decision is one. */
export const describeVoid = (decision: Decision, all: ExplainedAdjustment[], words: Words): Part[] | null => {
  const { reason, subjectId } = decision
  if (reason !== 'commission_voided' && reason !== 'void_undone') return null
  const voids = all.filter(({ type, commissionId }) => type === 'void' && String(commissionId) === subjectId)
  if (reason === 'commission_voided') return describeMemberTo(words, reason, voids.at(-1) ?? {})
  const undone = voids.findLast(({ isUndone }) => isUndone)
  return describeMemberTo(words, reason, { by: undone?.undoneBy, reason: undone?.undoReason })
}

/** Merchants see who reviewed the commission and why; partners only that it was. */
export const describeReview = ({ reason }: Decision, { note, decidedBy }: DecidedReview, words: Words): Part[] =>
  note !== null && !words.isPartner && (reason === 'review_released' || reason === 'review_rejected')
    ? describeMember(reason, { by: decidedBy, reason: note })
    : say`${words.reason(reason)}`

/** For merchants: which partner gets the sale by a member's decision. */
export const describeAssignment = (name: Part[], adjustment: ExplainedAdjustment, words: Words): Part[] => {
  const { type, partnerId, fromPartnerId, reason, by } = adjustment
  const isMove = type === 'move' && fromPartnerId !== null
  const to = words.partner(partnerId)
  const what = isMove ? say`moved from ${words.partner(fromPartnerId)} to ${to}` : say`credited to ${to}`
  return say`${name} was ${what} by ${by ?? 'a former member'}: “${reason}”.${isMove ? ' Only this sale was moved.' : ''}`
}

type Added = Pick<CommissionRow, 'kind' | 'adjustment' | 'saleId'>

const ADDED = { bonus: 'The program added a bonus', manual: 'The program added a commission manually' }

/** For partners: how a bonus or manual commission came about. */
export const describeAdded = ({ kind, adjustment }: Added): Step[] => {
  if (kind !== 'bonus' && kind !== 'manual') return []
  const reason = adjustment?.type === 'void' ? null : adjustment?.reason
  const added = toStep('history', 'commission_added', `${ADDED[kind]}${quote(reason)}.`)
  return adjustment?.reversed
    ? [added, toStep('history', 'commission_taken_back', 'The program took it back.')]
    : [added]
}
