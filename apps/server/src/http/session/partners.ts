import { changeLinkRequest, changePartnerRequest, createLinkRequest, createPartnerRequest } from '@tributary/contract'
import { note } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { changePartner, contactsOf, createPartner, listPartners, partnerExists } from '../../partners/partners.ts'
import { changeLink, createLink, listLinks } from '../../partners/referral-links.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readJson } from '../read-json.ts'
import { answerList, numberIn, orNotFound, readPage } from './lists.ts'
import { requireProgram } from './require-session.ts'

/** The partner that the path names, who must be one of the program's. */
export const partnerIn = async (c: Call, db: Database) => {
  const id = orNotFound(numberIn(c, 'partnerId'), 'partner')
  return orNotFound((await partnerExists(db, { programId: c.get('program').id, id })) ? id : null, 'partner')
}

export const partners = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayRead = requireProgram(dependencies, 'tracking:read')
  const mayManage = requireProgram(dependencies, 'partner:manage')

  app.post('/api/programs/:programId/partners', mayManage, async (c) => {
    const partner = check(createPartnerRequest, await readJson(c))
    const created = await createPartner(db, { ...partner, programId: c.get('program').id, createdAt: clock() })
    return c.json({ data: created }, 201)
  })

  app.get('/api/programs/:programId/partners', mayRead, async (c) => {
    const page = readPage(c)
    const { rows, total } = await listPartners(db, { programId: c.get('program').id, ...page })
    return answerList(c, rows, { ...page, total })
  })

  app.patch('/api/programs/:programId/partners/:partnerId', mayManage, async (c) => {
    const id = orNotFound(numberIn(c, 'partnerId'), 'partner')
    const change = check(changePartnerRequest, await readJson(c))
    const programId = c.get('program').id
    // Where a payout goes is decided here, so who changed it is kept.
    const changed = await inTransaction(db, async (tx) => {
      const before = (await contactsOf(tx, { programId, ids: [id] })).get(id)
      const after = await changePartner(tx, { ...change, programId, id })
      const entry = { action: 'partner changed', subject: `partner ${id}`, before, after: change }
      if (after) await note(tx, { programId, userId: c.get('user').id, ...entry, at: clock() })
      return after
    })
    return c.json({ data: orNotFound(changed, 'partner') })
  })

  const refuseUnknownPartner = async (programId: number, partnerId: number | null | undefined) => {
    if (partnerId && !(await partnerExists(db, { programId, id: partnerId })))
      throw new Refusal('invalid_request', 'partnerId is not a partner of this program.', { field: 'partnerId' })
  }

  app.post('/api/programs/:programId/links', mayManage, async (c) => {
    const programId = c.get('program').id
    const link = check(createLinkRequest, await readJson(c))
    await refuseUnknownPartner(programId, link.partnerId)
    return c.json({ data: await createLink(db, { ...link, programId, createdAt: clock() }) }, 201)
  })

  app.get('/api/programs/:programId/links', mayRead, async (c) => {
    const page = readPage(c)
    const { rows, total } = await listLinks(db, { programId: c.get('program').id, ...page })
    return answerList(c, rows, { ...page, total })
  })

  app.patch('/api/programs/:programId/links/:linkId', mayManage, async (c) => {
    const programId = c.get('program').id
    const id = orNotFound(numberIn(c, 'linkId'), 'link')
    const change = check(changeLinkRequest, await readJson(c))
    await refuseUnknownPartner(programId, change.partnerId)
    return c.json({ data: orNotFound(await changeLink(db, { ...change, programId, id }), 'link') })
  })
}
