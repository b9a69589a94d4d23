import {
  changeLinkRequest,
  changePartnerRequest,
  createLinkRequest,
  createPartnerRequest,
  linksQuery,
  partnersQuery,
} from '@tributary/contract'
import { note } from '../../audit/audit-log.ts'
import { changedFields } from '../../audit/changed-fields.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { linksWithFigures, partnersWithFigures } from '../../events/overview/figures.ts'
import { balances } from '../../money/ledger/ledger.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { codeAsAff } from '../../partners/code-links.ts'
import { formerCodesOf } from '../../partners/former-codes.ts'
import { hasPartnerUser } from '../../partners/partner-users.ts'
import { changePartner, contactsOf, createPartner, partnerExists } from '../../partners/partners.ts'
import { findPayoutDetails } from '../../partners/payout-details.ts'
import { changeLink, createLink, lockLink } from '../../partners/referral-links.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { refuseOtherSites } from '../destinations.ts'
import { creationOf } from '../link-entries.ts'
import { answerList, numberIn, orNotFound } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { notifyOfEmailChange, prepareEmailChange, refuseWithoutPayouts } from './partner-email.ts'
import { maySeeDestinations } from './payout-destinations.ts'
import { requireProgram } from './require-session.ts'

/** The partner that the path names, who must be one of the program's. */
export const partnerIn = async (c: Call, db: Database) => {
  const id = orNotFound(numberIn(c, 'partnerId'), 'partner')
  return orNotFound((await partnerExists(db, { programId: c.get('program').id, id })) ? id : null, 'partner')
}

const isStopped = (status: string) => status === 'suspended' || status === 'rejected'
/** Puts what the partner has earned back into payouts. */
const isReinstated = (before: string, after: string) => isStopped(before) && !isStopped(after)

export const partners = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayRead = requireProgram(dependencies, 'tracking:read')
  const mayManage = requireProgram(dependencies, 'partner:manage')

  app.post('/api/programs/:programId/partners', mayManage, async (c) => {
    const partner = check(createPartnerRequest, await readJson(c))
    const programId = c.get('program').id
    const at = clock()
    const created = await inTransaction(db, async (tx) => {
      const { id, createdAt, ...after } = await createPartner(tx, { ...partner, programId, createdAt: at })
      const entry = { action: 'partner added', subject: `partner ${id}`, after, at }
      await note(tx, { programId, userId: c.get('user').id, ...entry })
      return { id, createdAt, ...after }
    })
    return c.json({ data: created }, 201)
  })

  app.get('/api/programs/:programId/partners', mayRead, async (c) => {
    const query = check(partnersQuery, c.req.query())
    const { rows, total } = await partnersWithFigures(db, { programId: c.get('program').id, ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.get('/api/programs/:programId/partners/:partnerId', mayRead, async (c) => {
    const { id: programId, currency } = c.get('program')
    const id = orNotFound(numberIn(c, 'partnerId'), 'partner')
    const at = clock()
    const one = { page: 1, pageSize: 1, sort: 'createdAt' as const, programId, id }
    const partner = orNotFound((await partnersWithFigures(db, one)).rows[0], 'partner')
    const general = await termsAt(db, { programId, partnerId: null, at })
    const terms = await termsAt(db, { programId, partnerId: id, at })
    const mayPay = await maySeeDestinations(c, db)
    return c.json({
      data: {
        ...partner,
        balances: await balances(db, { programId, partnerId: id, at }),
        reward: rewardAnswer(terms, { currency, own: terms !== null && terms.version !== general?.version }),
        formerCodes: await formerCodesOf(db, { programId, partnerId: id }),
        codeAsAff: await codeAsAff(db, { programId, partnerId: id, code: partner.code }),
        hasAccount: await hasPartnerUser(db, { programId, partnerId: id }),
        payoutDetails: mayPay ? await findPayoutDetails(db, { programId, partnerId: id, at }) : null,
      },
    })
  })

  app.patch('/api/programs/:programId/partners/:partnerId', mayManage, async (c) => {
    const id = orNotFound(numberIn(c, 'partnerId'), 'partner')
    const change = check(changePartnerRequest, await readJson(c))
    const programId = c.get('program').id
    // Where a payout goes is decided here, so who changed it is kept.
    const { changed, addresses } = await inTransaction(db, async (tx) => {
      const at = clock()
      const contact = (await contactsOf(tx, { programId, ids: [id] })).get(id)
      const emails = { partnerId: id, before: contact?.email ?? null, after: change.email ?? null, at }
      const addresses = contact && change.email !== undefined ? await prepareEmailChange(c, tx, emails) : []
      const partner = await changePartner(tx, { ...change, programId, id, at })
      // Their row is locked by now: the status from before is not about to change.
      if (partner && isReinstated(partner.before.status, partner.after.status))
        await refuseWithoutPayouts(c, tx, 'Undoing a suspension or a rejection')
      const changes = partner && changedFields(partner.before, partner.after)
      const entry = { action: 'partner changed', subject: `partner ${id}`, ...changes, at }
      if (changes) await note(tx, { programId, userId: c.get('user').id, ...entry })
      return { changed: partner?.after, addresses }
    })
    await notifyOfEmailChange(c, dependencies, { addresses, email: change.email ?? null })
    return c.json({ data: orNotFound(changed, 'partner') })
  })

  const refuseUnknownPartner = async (programId: number, partnerId: number | null | undefined) => {
    if (partnerId && !(await partnerExists(db, { programId, id: partnerId })))
      throw new Refusal('invalid_request', 'partnerId is not a partner of this program.', { field: 'partnerId' })
  }

  app.post('/api/programs/:programId/links', mayManage, async (c) => {
    const programId = c.get('program').id
    const link = check(createLinkRequest, await readJson(c))
    refuseOtherSites(c.get('program'), link.destinationUrl)
    await refuseUnknownPartner(programId, link.partnerId)
    const at = clock()
    const created = await inTransaction(db, async (tx) => {
      const made = await createLink(tx, { ...link, programId, createdAt: at })
      await note(tx, { programId, userId: c.get('user').id, ...creationOf(made), at })
      return made
    })
    return c.json({ data: created }, 201)
  })

  app.get('/api/programs/:programId/links', mayRead, async (c) => {
    const query = check(linksQuery, c.req.query())
    const { rows, total } = await linksWithFigures(db, { programId: c.get('program').id, ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.patch('/api/programs/:programId/links/:linkId', mayManage, async (c) => {
    const programId = c.get('program').id
    const id = orNotFound(numberIn(c, 'linkId'), 'link')
    const change = check(changeLinkRequest, await readJson(c))
    await refuseUnknownPartner(programId, change.partnerId)
    const changed = await inTransaction(db, async (tx) => {
      const before = orNotFound(await lockLink(tx, { programId, id }), 'link')
      // A link that leads elsewhere since before the websites were set may stay as it is.
      if (change.destinationUrl !== before.destinationUrl) refuseOtherSites(c.get('program'), change.destinationUrl)
      const after = orNotFound(await changeLink(tx, { ...change, programId, id }), 'link')
      const changes = changedFields(before, { ...before, ...change })
      const entry = { action: 'link changed', subject: `link ${before.aff}`, ...changes, at: clock() }
      if (changes) await note(tx, { programId, userId: c.get('user').id, ...entry })
      return after
    })
    return c.json({ data: changed })
  })
}
