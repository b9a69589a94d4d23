import type { ReasonCode } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import { voidedForPartner } from './review-words.ts'
import { findAssignments, takenAwayForPartner } from './taken-away.ts'
import { capital, onHold, reasonFor } from './words.ts'

type Commission = Pick<
  CommissionRow,
  | ('id' | 'partnerId' | 'saleId' | 'leadId' | 'reviewReasons' | 'voidReason' | 'state' | 'adjustment' | 'byHand')
  | ('heldForApproval' | 'partnerStatus')
>

/**
 * Why each commission is not payable, in review or reversed, in sentences that a partner may read. Refunds, disputes and reviews are
 * stored as decisions; a pending review has its reasons on the commission.
 */
export const reasonsForPartners = async (db: Database, programId: number, commissions: Commission[]) => {
  const ids = (name: 'saleId' | 'leadId') => commissions.flatMap((row) => row[name] ?? [])
  const { rows } = await sql<Found>`
    SELECT sale_id, lead_id, subject, subject_id, reason FROM decisions
    WHERE program_id = ${programId} AND subject IN ('refund', 'dispute', 'review') AND sale_id = ANY (${ids('saleId')}::bigint[])
    UNION ALL
    SELECT sale_id, lead_id, subject, subject_id, reason FROM decisions
    WHERE program_id = ${programId} AND subject = 'review' AND lead_id = ANY (${ids('leadId')}::bigint[])`.execute(db)
  const assignments = await findAssignments(db, programId, ids('saleId'))
  return new Map(
    commissions.map((commission) => {
      const found = rows.filter((row) => concerns(row, commission)).map(({ reason }) => reason)
      const waiting = commission.state === 'review' ? (commission.reviewReasons as ReasonCode[]) : []
      const taken = takenAwayForPartner(
        commission,
        assignments.filter(({ saleId }) => saleId === commission.saleId),
      )
      const approval = commission.heldForApproval ? [`${capital(onHold(commission.partnerStatus, 'partner'))}.`] : []
      return [
        commission.id,
        [
          ...approval,
          ...[...new Set([...waiting, ...found])].map((reason) => sentenceFor(reason, commission)),
          ...taken,
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

const sentenceFor = (reason: ReasonCode, { voidReason }: Commission) =>
  reason === 'commission_voided' ? voidedForPartner(voidReason) : reasonFor('partner', reason)
