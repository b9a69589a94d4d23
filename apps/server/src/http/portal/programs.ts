import { isOnWebsites, performanceQuery } from '@tributary/contract'
import { requiresTwoFactor } from '../../accounts/workspaces.ts'
import { listAccessChanges } from '../../audit/access-changes.ts'
import { note } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { readPerformance } from '../../events/overview/performance.ts'
import { signInAdded } from '../../mail/emails.ts'
import { balances } from '../../money/ledger/ledger.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { applyAs, refuseClosed } from '../../partners/apply.ts'
import { findGroupOfPartner } from '../../partners/group-changes.ts'
import { findPartnerInvitation } from '../../partners/partner-invitations.ts'
import { partnerOfUser, partnersOfUser } from '../../partners/partner-users.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findTierProgress } from '../../tracking/groups/tier-progress.ts'
import { applicationEntry } from '../answers/audit-entries.ts'
import type { App, Dependencies, Partner } from '../context.ts'
import { answerWhole } from '../lists.ts'
import { acceptAsPartner, notifyPartner, programInPath } from '../partner-access.ts'
import { check } from '../read-json.ts'
import { notPartner, requirePartner } from './require-partner.ts'

/** Only what a partner may see of a program. */
const portalProgram = async (db: Database, program: Program, partner: Partner, at: Date) => {
  const { partnerId, name, code, status, archived } = partner
  const terms = await termsAt(db, { programId: program.id, partnerId, at })
  const group = await findGroupOfPartner(db, { programId: program.id, partnerId })
  return {
    programId: program.id,
    programName: program.name,
    currency: program.currency,
    timezone: program.timezone,
    websites: program.websites,
    partnerId,
    name,
    code,
    status,
    archived,
    requireTwoFactor: await requiresTwoFactor(db, program.workspaceId),
    mayCreateLinks: program.partnersCreateLinks && status === 'approved' && !archived,
    reward: rewardAnswer(terms, { currency: program.currency, own: false }),
    landingPages: (group?.landingPages ?? []).filter((page) => isOnWebsites(page, program.websites)),
    // Custom terms override every group's, so a tier would change nothing.
    tier: group && terms?.partnerId == null ? await findTierProgress(db, { program, partnerId, group, at }) : null,
    accessChanges: await listAccessChanges(db, { programId: program.id, partnerId, at }),
  }
}

/** The programs a partner belongs to, applications and the overview. */
export const portalPrograms = (app: App, dependencies: Dependencies) => {
  const { db, clock, mailer } = dependencies
  const asPartner = requirePartner(dependencies)

  const answerFor = async (program: Program, userId: string) => {
    const partner = await partnerOfUser(db, { userId, programId: program.id })
    if (!partner) throw notPartner()
    return portalProgram(db, program, partner, clock())
  }

  app.get('/api/portal/programs', async (c) => {
    const rows = []
    for (const { programId, ...partner } of await partnersOfUser(db, c.get('user').id)) {
      const program = await findProgram(db, programId)
      if (program) rows.push(await portalProgram(db, program, partner, clock()))
    }
    return answerWhole(c, rows)
  })

  app.post('/api/portal/invitations/:invitationId/accept', async (c) => {
    const id = c.req.param('invitationId')
    const { id: userId, email } = c.get('user')
    const at = clock()
    const { programId, programName, addresses } = await inTransaction(db, async (tx) => {
      const invitation = await findPartnerInvitation(tx, { id, at })
      if (!invitation)
        throw new Refusal('not_found', 'This invitation has expired, was used, or does not exist. Ask for a new one.')
      if (invitation.email !== email.toLowerCase())
        throw new Refusal('forbidden', 'This invitation is for another email address. Sign in with that address.')
      const { programId, partnerId, programName } = invitation
      return {
        programId,
        programName,
        addresses: await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at }),
      }
    })
    await notifyPartner(mailer, addresses, () => signInAdded({ programName, email }))
    const program = await findProgram(db, programId)
    if (!program) throw new Refusal('not_found', 'This program does not exist.')
    return c.json({ data: await answerFor(program, userId) })
  })

  app.post('/api/portal/programs/:programId/apply', async (c) => {
    const program = await programInPath(c, dependencies)
    refuseClosed(program)
    const user = c.get('user')
    const at = clock()
    await inTransaction(db, async (tx) => {
      const partner = await applyAs(tx, { programId: program.id, user, at })
      const by = { programId: program.id, userId: user.id, byPartnerId: partner.id }
      await note(tx, { ...by, ...applicationEntry(partner), at })
    })
    return c.json({ data: await answerFor(program, user.id) }, 201)
  })

  app.get('/api/portal/programs/:programId/overview', asPartner, async (c) => {
    const { partnerId: _, ...query } = check(performanceQuery, c.req.query())
    const program = c.get('program')
    const { partnerId } = c.get('partner')
    const at = clock()
    const owed = await balances(db, { programId: program.id, partnerId, at })
    return c.json({
      data: {
        performance: await readPerformance(db, { program, query, at, partnerId }),
        balances: owed.map(({ partnerId: _, ...balance }) => balance),
      },
    })
  })
}
