import { bulkPartnersRequest, type PartnerStatus, partnerIdsQuery } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { findPartnerIds } from '../../../events/overview/figures.ts'
import { announceApproved } from '../../../money/commissions/announce-payable.ts'
import { changePartner } from '../../../partners/partners.ts'
import { ID_LIMIT, refuseTooMany, runBulk } from '../../../platform/bulk.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { orNotFound } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'
import { requirePayoutManage } from './partner-email.ts'
import { inviteByMail } from './partner-invitations.ts'

const NO_MAIL =
  'Several partners can only be invited by email. Set SMTP_URL, or copy an invitation link on the page of each partner.'

/** Actions on many partners. Decisions about applications and moves to a group have separate routes. */
export const bulkPartners = (app: App, dependencies: Dependencies) => {
  const { mailer } = dependencies
  const path = '/api/programs/:programId/partners'

  app.get(`${path}/ids`, requireProgram(dependencies, 'tracking:read'), async (c) => {
    const filter = check(partnerIdsQuery, c.req.query())
    const ids = await findPartnerIds(c.get('db'), { ...filter, programId: c.get('program').id, limit: ID_LIMIT })
    return c.json({ data: refuseTooMany(ids, 'partners') })
  })

  app.post(`${path}/bulk`, requireProgram(dependencies, 'partner:manage'), async (c) => {
    const db = c.get('db')
    const { ids, action } = check(bulkPartnersRequest, await readJson(c))
    // Reinstating a partner puts their earnings back into payouts.
    if (action === 'reinstate') await requirePayoutManage(c, db, 'Reinstating partners')
    if (action === 'invite' && !mailer) throw new Refusal('conflict', NO_MAIL)
    const run = (id: number) =>
      action === 'invite' ? inviteByMail(c, dependencies, id) : setStatus(c, dependencies, { id, ...STATUSES[action] })
    return c.json({ data: await runBulk(ids, run) })
  })
}

const STATUSES = {
  suspend: { from: ['approved'], to: 'suspended' },
  reinstate: { from: ['suspended', 'rejected'], to: 'approved' },
} as const

type Change = { id: number; from: readonly string[]; to: PartnerStatus }

const setStatus = (c: Call, { clock }: Dependencies, { id, from, to }: Change) =>
  inTransaction(c.get('db'), async (tx) => {
    const programId = c.get('program').id
    const at = clock()
    const { before } = orNotFound(await changePartner(tx, { programId, id, status: to, at }), 'partner')
    // Rolls the change back. The status is known only once the row is locked.
    if (!from.includes(before.status))
      throw new Refusal('conflict', `This partner is ${before.status}.`, {
        inShort: before.status === to ? `already ${to}` : before.status,
      })
    const change = { before: { status: before.status }, after: { status: to } }
    await recordAudit(tx, {
      programId,
      userId: c.get('user').id,
      action: 'partner changed',
      subject: `partner ${id}`,
      ...change,
      at,
    })
    if (to === 'approved') await announceApproved(tx, { programId, partnerIds: [id], at })
  })
