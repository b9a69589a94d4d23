import type { ReasonCode } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { voidedForPartner } from './review-words.ts'
import { reasonFor } from './words.ts'

type Commission = {
  id: number
  saleId: number | null
  leadId: number | null
  reviewReasons: string[]
  voidReason: string | null
  heldForApproval: boolean
  state: string
}

/**
 * Why each commission is not payable, in review or reversed, in sentences that a partner may read. Refunds, disputes and reviews are
 * stored as decisions; a pending review has its reasons on the commission.
 */
export const reasonsForPartners = async (db: Database, programId: number, commissions: Commission[]) => {
  const ids = (name: 'saleId' | 'leadId') => commissions.flatMap((row) => row[name] ?? [])
  const { rows } = await sql<{ saleId: number | null; leadId: number | null; reason: ReasonCode }>`
    SELECT sale_id, lead_id, reason FROM decisions
    WHERE program_id = ${programId} AND subject IN ('refund', 'dispute', 'review') AND sale_id = ANY (${ids('saleId')}::bigint[])
    UNION ALL
    SELECT sale_id, lead_id, reason FROM decisions
    WHERE program_id = ${programId} AND subject = 'review' AND lead_id = ANY (${ids('leadId')}::bigint[])`.execute(db)
  return new Map(
    commissions.map((commission) => {
      const found = rows
        .filter(({ saleId, leadId }) => saleId === commission.saleId && leadId === commission.leadId)
        .map(({ reason }) => reason)
      const waiting = commission.state === 'review' ? (commission.reviewReasons as ReasonCode[]) : []
      const approval = commission.heldForApproval ? ['It is not payable until the program approves you.'] : []
      return [
        commission.id,
        [...approval, ...[...new Set([...waiting, ...found])].map((reason) => sentenceFor(reason, commission))],
      ]
    }),
  )
}

const sentenceFor = (reason: ReasonCode, { voidReason }: Commission) =>
  reason === 'commission_voided' ? voidedForPartner(voidReason) : reasonFor('partner', reason)
