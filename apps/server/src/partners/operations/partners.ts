import type { ChangePartner } from '@tributary/contract'
import { PARTNERS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { partnersWithFigures } from '../../events/overview/figures.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { emailChanged } from '../../mail/program-emails.ts'
import { announceApproved } from '../../money/commissions/announce-payable.ts'
import { partnerBalances } from '../../money/ledger/next-payable.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { lockTerms, termsAt } from '../../money/rewards/reward-terms.ts'
import { announceDecision } from '../../notifications/announce.ts'
import { hasPermission, requirePayoutManage } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { lockProgram, type Program } from '../../programs/programs.ts'
import { movePartners } from '../../tracking/groups/move-partners.ts'
import { reviewEarningsFrom } from '../../tracking/leads/review-partner.ts'
import { applicationsOf } from '../applications/applications.ts'
import { codeAsAff, createCodeLink, createNextCodeLink } from '../code-links.ts'
import { formerCodesOf } from '../former-codes.ts'
import { currentGroups, findMembership, membershipAnswer } from '../group-changes.ts'
import { findLegalDetails } from '../legal-details.ts'
import { findInvitedUntil } from '../partner-invitations.ts'
import { findPartner, hasPartnerUser } from '../partner-users.ts'
import { changePartner, contactsOf, createPartner } from '../partners.ts'
import { findPayoutDetails } from '../payout-details.ts'
import { linkCreated } from './new-links.ts'
import { type AccessChange, changeEmailAccess, isSameAddress, notifyPartner } from './partner-access.ts'

export const PARTNER_THINGS = { partnerId: { what: 'partner', find: findPartner } }

export const partners = ({ mailer, hashKey }: { mailer: Mailer | null; hashKey: string }) =>
  runs(PARTNERS, PARTNER_THINGS, {
    create: async ({ tx, program, actor, clock, audit, body: { groupId, createLink = true, ...partner } }) => {
      const at = clock()
      const programId = program.id
      const { id, createdAt, ...after } = await createPartner(tx, { ...partner, programId, createdAt: at })
      const link = createLink ? await createCodeLink(tx, { programId, partnerId: id, code: after.code, at }) : null
      if (link) await audit(tx, { ...linkCreated(link), at })
      await audit(tx, { action: 'partner added', subject: `partner ${id}`, after, at })
      if (groupId !== undefined) await moveToGroup(tx, { program, actor, clock, partnerId: id, groupId })
      return writtenAnswer(tx, programId, { id, createdAt, ...after })
    },

    list: async ({ db, program, query }) => {
      const programId = program.id
      const { rows, total } = await partnersWithFigures(db, { programId, ...query })
      const applications = await applicationsOf(db, { programId, ids: rows.map(({ id }) => id) })
      return { rows: rows.map((row) => ({ ...row, application: applications.get(row.id) ?? null })), total }
    },

    get: ({ db, program, actor, params, clock }) =>
      partnerDetails(db, { program, actor, id: params.partnerId, at: clock() }),

    change: {
      ownTransactions: async ({ db, program, actor, params, clock, audit, body: change }) => {
        const { changed, addresses } = await inTransaction(db, (tx) =>
          changeAudited(tx, { program, actor, clock, audit, partnerId: params.partnerId }, change),
        )
        const email = change.email ?? null
        if (email !== null)
          await reviewEarningsFrom(
            { db, clock, hashKey },
            { programId: program.id, partnerId: params.partnerId, addresses: [email] },
          )
        await notifyPartner(
          { db, mailer },
          { program, addresses, email: (sender) => emailChanged({ ...sender, email }) },
        )
        return changed
      },
    },
  })

type Viewed = { program: Program; actor: Member; id: number; at: Date }

/** A partner with figures, balances and terms, and with payout details if the caller may see them. */
const partnerDetails = async (db: Database, { program, actor, id, at }: Viewed) => {
  const { id: programId, currency, workspaceId } = program
  const key = { programId, partnerId: id }
  const one = { page: 1, pageSize: 1, sort: 'createdAt' as const, programId, id }
  const partner = orNotFound((await partnersWithFigures(db, one)).rows[0], 'partner')
  const terms = await termsAt(db, { ...key, at })
  const mayPay = await hasPermission(db, { user: actor, workspaceId, permission: 'payout:manage' })
  return {
    ...partner,
    group: membershipAnswer(await findMembership(db, key)),
    application: (await applicationsOf(db, { programId, ids: [id] })).get(id) ?? null,
    balances: await partnerBalances(db, { ...key, at }),
    reward: rewardAnswer(terms, { currency, own: terms !== null && terms.partnerId !== null }),
    formerCodes: await formerCodesOf(db, key),
    codeAsAff: await codeAsAff(db, { ...key, code: partner.code }),
    hasAccount: await hasPartnerUser(db, key),
    invitedUntil: await findInvitedUntil(db, { ...key, at }),
    payoutDetails: mayPay ? await findPayoutDetails(db, { ...key, at }) : null,
    legalDetails: mayPay ? await findLegalDetails(db, key) : null,
  }
}

const changeAudited = async (tx: Tx, access: AccessChange, { groupId, ...change }: ChangePartner) => {
  const { program, actor, partnerId, clock, audit } = access
  const programId = program.id
  if (groupId !== undefined) await moveToGroup(tx, { ...access, groupId })
  const at = clock()
  const email = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)?.email ?? null
  const isEmailChanged = change.email !== undefined && !isSameAddress(change.email, email)
  const addresses = isEmailChanged ? await changeEmailAccess(tx, access, { email, at }) : []
  const { before, after } = orNotFound(await changePartner(tx, { ...change, programId, id: partnerId, at }), 'partner')
  // The row is locked now, so the previous status cannot change anymore.
  if (isReinstated(before.status, after.status))
    await requirePayoutManage(tx, { user: actor, workspaceId: program.workspaceId }, 'Reinstating a partner')
  const changes = changedFields(before, after)
  if (changes) await audit(tx, { action: 'partner changed', subject: `partner ${partnerId}`, ...changes, at })
  if (after.code !== before.code) {
    const link = await createNextCodeLink(tx, { programId, partnerId, old: before.code, code: after.code, at })
    if (link) await audit(tx, { ...linkCreated(link), at })
  }
  if (after.status === 'approved') await announceApproved(tx, { programId, partnerIds: [partnerId], at })
  if (before.status === 'pending') await announceDecision(tx, { programId, partnerId, status: after.status, at })
  return { changed: await writtenAnswer(tx, programId, after), addresses }
}

type Move = { program: Program; actor: Member; clock: Clock; partnerId: number; groupId: number }

/** Locks the program before its terms, like every call that needs both. */
export const moveToGroup = async (tx: Tx, { program, actor, clock, partnerId, groupId }: Move) => {
  const { id: programId, workspaceId } = program
  await requirePayoutManage(tx, { user: actor, workspaceId }, 'Choosing a partner’s group')
  await lockProgram(tx, programId)
  await lockTerms(tx, programId)
  await movePartners(tx, { programId, partnerIds: [partnerId], groupId, userId: actor.id, at: clock() })
}

const writtenAnswer = async <Row extends { id: number; code: string }>(tx: Tx, programId: number, partner: Row) => {
  const { id: partnerId, code } = partner
  const groups = await currentGroups(tx, { programId, partnerIds: [partnerId] })
  const groupId = orNotFound(groups.get(partnerId), 'partner')
  return { ...partner, groupId, codeAsAff: await codeAsAff(tx, { programId, partnerId, code }) }
}

const isStopped = (status: string) => status === 'suspended' || status === 'rejected'
/** Reinstating a partner puts their earnings back into payouts. */
const isReinstated = (before: string, after: string) => isStopped(before) && !isStopped(after)
