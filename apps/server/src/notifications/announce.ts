import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { Amount, PartnerTotals } from './details.ts'
import { notify } from './notify.ts'

type Partner = { programId: number; partnerId: number; at: Date }

export const announceApplication = (tx: Tx, { programId, partnerId, name, at }: Partner & { name: string }) =>
  notify(tx, {
    programId,
    kind: 'application_received',
    subject: `partner ${partnerId}`,
    at,
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
    programId,
    kind: 'payout_sent',
    partnerIds: [partnerId],
    subject: `payout line ${lineId}`,
    at,
    details,
  })

type Draft = { programId: number; draftId: number; period: string; at: Date }

export const announceDraft = async (tx: Tx, { programId, draftId, period, at }: Draft) => {
  const { rows } = await sql<Amount & { partnerId: number; standing: 'ready' | 'missing' | 'changed' }>`
    SELECT line.partner_id, currency, amount_cents, CASE WHEN details.partner_id IS NULL THEN 'missing'
      WHEN hold.partner_id IS NOT NULL THEN 'changed' ELSE 'ready' END AS standing
    FROM payout_draft_lines line
      LEFT JOIN partner_payout_details details ON details.program_id = line.program_id AND details.partner_id = line.partner_id
      LEFT JOIN partner_destination_holds hold ON hold.program_id = line.program_id AND hold.partner_id = line.partner_id
        AND hold.held_until > ${at}
    WHERE line.program_id = ${programId} AND draft_id = ${draftId} ORDER BY currency`.execute(tx)
  const those = (standing: string) => sum(rows.filter((row) => row.standing === standing))
  const groups = { ready: those('ready'), missing: those('missing'), changed: those('changed') }
  const details = { period, ...sum(rows), ...groups }
  await notify(tx, { programId, kind: 'draft_ready', subject: `draft ${draftId}`, details, at })
}

const sum = (lines: (Amount & { partnerId: number })[]): PartnerTotals => ({
  partners: new Set(lines.map(({ partnerId }) => partnerId)).size,
  totals: [...Map.groupBy(lines, ({ currency }) => currency)].map(([currency, inCurrency]) => ({
    currency,
    amountCents: inCurrency.reduce((total, { amountCents }) => total + amountCents, 0),
  })),
})
