import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { Amount } from './details.ts'
import { notify } from './notify.ts'

type Partner = { programId: number; partnerId: number; at: Date }

export const announceApplication = (tx: Tx, { programId, partnerId, name, at }: Partner & { name: string }) =>
  notify(tx, {
    ...{ programId, kind: 'application_received', subject: `partner ${partnerId}`, at },
    details: { partnerId, name },
  })

type Decision = Partner & { status: string; message?: string | null }

/** Tells an applicant about the decision. A later change of status is not an answer to an application. */
export const announceDecision = async (tx: Tx, { programId, partnerId, status, message = null, at }: Decision) => {
  const about = { programId, partnerIds: [partnerId], subject: `partner ${partnerId}`, details: { message }, at }
  if (status === 'approved') await notify(tx, { ...about, kind: 'application_approved' })
  if (status === 'rejected') await notify(tx, { ...about, kind: 'application_rejected' })
}

type Payment = Partner & Amount & { lineId: number; reference: string | null; paidOn: string | null }

export const announcePayment = (tx: Tx, { programId, partnerId, lineId, at, ...details }: Payment) =>
  notify(tx, {
    ...{ programId, kind: 'payout_sent', partnerIds: [partnerId], subject: `payout line ${lineId}`, at },
    details,
  })

type Draft = { programId: number; draftId: number; period: string; at: Date }

export const announceDraft = async (tx: Tx, { programId, draftId, period, at }: Draft) => {
  const { rows } = await sql<Amount & { partners: number }>`
    SELECT currency, sum(amount_cents)::bigint AS amount_cents, (
      SELECT count(DISTINCT partner_id) FROM payout_draft_lines WHERE program_id = ${programId} AND draft_id = ${draftId}) AS partners
    FROM payout_draft_lines WHERE program_id = ${programId} AND draft_id = ${draftId}
    GROUP BY currency ORDER BY currency`.execute(tx)
  const totals = rows.map(({ currency, amountCents }) => ({ currency, amountCents }))
  const details = { period, partners: rows[0]?.partners ?? 0, totals }
  await notify(tx, { programId, kind: 'draft_ready', subject: `draft ${draftId}`, details, at })
}
