import { type ChangePartner, changePartnerRequest, createPartnerRequest, partnersQuery } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { partnersWithFigures } from '../../../events/overview/figures.ts'
import { announceApproved } from '../../../money/commissions/announce-payable.ts'
import { balances } from '../../../money/ledger/ledger.ts'
import { rewardAnswer } from '../../../money/rewards/change-reward.ts'
import { lockTerms, termsAt } from '../../../money/rewards/reward-terms.ts'
import { announceDecision } from '../../../notifications/announce.ts'
import { applicationsOf } from '../../../partners/applications/applications.ts'
import { codeAsAff } from '../../../partners/code-links.ts'
import { formerCodesOf } from '../../../partners/former-codes.ts'
import { currentGroups, findMembership, membershipAnswer } from '../../../partners/group-changes.ts'
import { findLegalDetails } from '../../../partners/legal-details.ts'
import { hasPartnerUser } from '../../../partners/partner-users.ts'
import { changePartner, contactsOf, createPartner, partnerExists } from '../../../partners/partners.ts'
import { findPayoutDetails } from '../../../partners/payout-details.ts'
import { lockProgram } from '../../../programs/programs.ts'
import { movePartners } from '../../../tracking/groups/move-partners.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerList, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { maySeeDestinations } from '../money/payout-destinations.ts'
import { requireProgram } from '../require-session.ts'
import { notifyOfEmailChange, prepareEmailChange, requirePayoutManage } from './partner-email.ts'

/** The partner ID in the path. Throws if it is not a partner of the program. */
export const partnerIdInPath = async (c: Call, db: Database) => {
  const id = orNotFound(pathId(c, 'partnerId'), 'partner')
  return orNotFound((await partnerExists(db, { programId: c.get('program').id, id })) ? id : null, 'partner')
}

export const partners = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'tracking:read')
  const mayManage = requireProgram(dependencies, 'partner:manage')

  app.post('/api/programs/:programId/partners', mayManage, async (c) => {
    const { groupId, ...partner } = check(createPartnerRequest, await readJson(c))
    const programId = c.get('program').id
    const created = await inTransaction(c.get('db'), async (tx) => {
      const at = clock()
      const { id, createdAt, ...after } = await createPartner(tx, { ...partner, programId, createdAt: at })
      const entry = { action: 'partner added', subject: `partner ${id}`, after, at }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      if (groupId !== undefined) await moveOne(c, tx, { partnerId: id, groupId, clock })
      return withGroup(tx, programId, { id, createdAt, ...after })
    })
    return c.json({ data: await withCodeAsAff(c, created) }, 201)
  })

  app.get('/api/programs/:programId/partners', mayRead, async (c) => {
    const db = c.get('db')
    const query = check(partnersQuery, c.req.query())
    const { rows, total } = await partnersWithFigures(db, { programId: c.get('program').id, ...query })
    const applications = await applicationsOf(db, { programId: c.get('program').id, ids: rows.map(({ id }) => id) })
    const shown = rows.map((row) => ({ ...row, application: applications.get(row.id) ?? null }))
    return answerList(c, shown, { ...query, total })
  })

  app.get('/api/programs/:programId/partners/:partnerId', mayRead, async (c) => {
    const id = orNotFound(pathId(c, 'partnerId'), 'partner')
    return c.json({ data: await partnerDetails(c, dependencies, id) })
  })

  app.patch('/api/programs/:programId/partners/:partnerId', mayManage, async (c) => {
    const id = orNotFound(pathId(c, 'partnerId'), 'partner')
    const change = check(changePartnerRequest, await readJson(c))
    const { changed, addresses } = await changeAudited(c, dependencies, { id, change })
    await notifyOfEmailChange(c, dependencies, { addresses, email: change.email ?? null })
    return c.json({ data: await withCodeAsAff(c, orNotFound(changed, 'partner')) })
  })
}

/** A partner with figures, balances and terms, and with payout details if the caller may see them. */
const partnerDetails = async (c: Call, { clock }: Dependencies, id: number) => {
  const db = c.get('db')
  const { id: programId, currency } = c.get('program')
  const at = clock()
  const one = { page: 1, pageSize: 1, sort: 'createdAt' as const, programId, id }
  const partner = orNotFound((await partnersWithFigures(db, one)).rows[0], 'partner')
  const terms = await termsAt(db, { programId, partnerId: id, at })
  const mayPay = await maySeeDestinations(c, db)
  return {
    ...partner,
    group: membershipAnswer(await findMembership(db, { programId, partnerId: id })),
    application: (await applicationsOf(db, { programId, ids: [id] })).get(id) ?? null,
    balances: await balances(db, { programId, partnerId: id, at }),
    reward: rewardAnswer(terms, { currency, own: terms !== null && terms.partnerId !== null }),
    formerCodes: await formerCodesOf(db, { programId, partnerId: id }),
    codeAsAff: await codeAsAff(db, { programId, partnerId: id, code: partner.code }),
    hasAccount: await hasPartnerUser(db, { programId, partnerId: id }),
    payoutDetails: mayPay ? await findPayoutDetails(db, { programId, partnerId: id, at }) : null,
    legalDetails: mayPay ? await findLegalDetails(db, { programId, partnerId: id }) : null,
  }
}

type PartnerChange = { id: number; change: ChangePartner }

/** The email address affects where payouts go, so the audit log records who changed it. */
const changeAudited = (c: Call, { clock }: Dependencies, { id, change: { groupId, ...change } }: PartnerChange) =>
  inTransaction(c.get('db'), async (tx) => {
    const programId = c.get('program').id
    if (groupId !== undefined) {
      orNotFound((await contactsOf(tx, { programId, ids: [id] })).get(id), 'partner')
      await moveOne(c, tx, { partnerId: id, groupId, clock })
    }
    const at = clock()
    const contact = (await contactsOf(tx, { programId, ids: [id] })).get(id)
    const emails = { partnerId: id, before: contact?.email ?? null, after: change.email ?? null, at }
    const addresses = contact && change.email !== undefined ? await prepareEmailChange(c, tx, emails) : []
    const partner = await changePartner(tx, { ...change, programId, id, at })
    // The row is locked now, so the previous status cannot change anymore.
    if (partner && isReinstated(partner.before.status, partner.after.status))
      await requirePayoutManage(c, tx, 'Reinstating a partner')
    const changes = partner && changedFields(partner.before, partner.after)
    const entry = { action: 'partner changed', subject: `partner ${id}`, ...changes, at }
    if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
    if (partner?.after.status === 'approved') await announceApproved(tx, { programId, partnerIds: [id], at })
    if (partner?.before.status === 'pending')
      await announceDecision(tx, { programId, partnerId: id, status: partner.after.status, at })
    return { changed: partner && (await withGroup(tx, programId, partner.after)), addresses }
  })

type MoveOne = { partnerId: number; groupId: number; clock: Clock }

/** Locks the program before its terms, like every call that needs both. */
export const moveOne = async (c: Call, tx: Tx, { partnerId, groupId, clock }: MoveOne) => {
  await requirePayoutManage(c, tx, 'Choosing a partner’s group')
  const programId = c.get('program').id
  await lockProgram(tx, programId)
  await lockTerms(tx, programId)
  await movePartners(tx, { programId, partnerIds: [partnerId], groupId, userId: c.get('user').id, at: clock() })
}

/** After the commit, as the next click finds it. */
const withCodeAsAff = async <Row extends { id: number; code: string }>(c: Call, partner: Row) => {
  const key = { programId: c.get('program').id, partnerId: partner.id, code: partner.code }
  return { ...partner, codeAsAff: await codeAsAff(c.get('db'), key) }
}

const withGroup = async <Row extends { id: number }>(tx: Tx, programId: number, partner: Row) => ({
  ...partner,
  groupId: (await currentGroups(tx, { programId, partnerIds: [partner.id] })).get(partner.id),
})

const isStopped = (status: string) => status === 'suspended' || status === 'rejected'
/** Reinstating a partner puts their earnings back into payouts. */
const isReinstated = (before: string, after: string) => isStopped(before) && !isStopped(after)
