import { sql } from 'kysely'
import { recordAudit } from '../audit/audit-log.ts'
import { PAYOUT_CREATED } from '../audit/payout-history.ts'
import type { Tx } from '../database/transaction.ts'
import { prepareDraftIn } from '../money/payouts/drafts.ts'
import { findPayoutLines } from '../money/payouts/find-payout-lines.ts'
import { decidePayoutLine } from '../money/payouts/payout-lines.ts'
import { createPayout } from '../money/payouts/payouts.ts'
import { changeSchedule, findDueSchedules } from '../money/payouts/schedules.ts'
import { announceDraft } from '../notifications/announce.ts'
import { setLegalDetails } from '../partners/legal-details.ts'
import { setMerchantDetails } from '../programs/legal-details.ts'
import type { Program } from '../programs/programs.ts'
import { makeAdjustment } from '../tracking/adjustments/adjust.ts'
import type { LinkRows } from './traffic-rows.ts'

const EIGHT_DAYS_MS = 8 * 86_400_000
const MONDAY = 1

const MERCHANT = {
  legalName: 'Acme Analytics, Inc.',
  address: '12 Example Street\nNew York, NY 10001\nUSA',
  taxId: null,
  email: 'billing@acme-analytics.example',
  selfBilling: false,
}
const MAYA = {
  name: 'Maya Lindqvist',
  company: null,
  address: 'Exempelgatan 3\n111 22 Stockholm\nSweden',
  taxId: null,
}

type Options = { program: Program; userId: string; links: LinkRows; at: Date }

/** A bonus and a moved sale, a paid payout with its statement, and a draft for the partners who are left. */
export const createPayouts = async (tx: Tx, options: Options) => {
  const { program, links } = options
  const partnerOf = (aff: string) => links.get(aff)?.partnerId ?? 0
  await adjust(tx, {
    ...options,
    from: partnerOf('toolbox'),
    to: partnerOf('dataloop'),
    best: partnerOf('kenji-video'),
  })
  const legal = { programId: program.id, at: program.createdAt }
  await setMerchantDetails(tx, { ...legal, ...MERCHANT })
  await setLegalDetails(tx, { ...legal, ...MAYA, partnerId: partnerOf('maya') })
  await payPartner(tx, { ...options, partnerId: partnerOf('maya') })
  await prepareDraft(tx, { ...options, programId: program.id })
}

const adjust = async (
  tx: Tx,
  { program, userId, at, from, to, best }: Options & { from: number; to: number; best: number },
) => {
  const bonus = { type: 'bonus', partnerId: best, amountCents: 5_000, reason: 'Video of the month' } as const
  await makeAdjustment(tx, { program, userId, request: bonus }, () => at)
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM sales WHERE program_id = ${program.id} AND partner_id = ${from}
      AND NOT EXISTS (SELECT FROM refunds WHERE refunds.program_id = sales.program_id AND sale_id = sales.id)
    ORDER BY sold_at DESC LIMIT 1`.execute(tx)
  const saleId = rows[0]?.id
  if (saleId === undefined) return
  const reason = 'The customer came from the newsletter'
  await makeAdjustment(tx, { program, userId, request: { type: 'move', saleId, partnerId: to, reason } }, () => at)
}

const payPartner = async (tx: Tx, { program, userId, at, partnerId }: Options & { partnerId: number }) => {
  const { id: programId, timezone } = program
  const by = { programId, userId, at }
  const payout = { programId, createdBy: userId, partnerIds: [partnerId], reference: 'PO-0001', at }
  const { payoutId, lines } = await createPayout(tx, payout)
  await recordAudit(tx, { ...by, action: PAYOUT_CREATED, subject: `payout ${payoutId}`, after: { lines } })
  for (const line of await findPayoutLines(tx, { programId, payoutId })) {
    const change = await decidePayoutLine(tx, {
      programId,
      line,
      status: 'paid',
      amountCents: null,
      reference: null,
      paidAt: null,
      note: null,
      at,
      createdOn: { day: '', timezone },
    })
    await recordAudit(tx, { ...by, action: 'payout line paid', subject: `payout line ${line.id}`, ...change })
  }
}

/** The schedule was saved more than a week ago, so the latest Monday is due. */
const prepareDraft = async (tx: Tx, { program, programId, at }: Options & { programId: number }) => {
  const saved = { at: new Date(at.getTime() - EIGHT_DAYS_MS), timezone: program.timezone }
  await changeSchedule(tx, { programId, ...saved, request: { frequency: 'weekly', weekday: MONDAY } })
  for (const due of await findDueSchedules(tx, at))
    await prepareDraftIn(tx, { ...due, at, announce: (_, draft) => announceDraft(tx, { ...draft, at }) })
}
