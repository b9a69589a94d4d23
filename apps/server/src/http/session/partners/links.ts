import { changeLinkRequest, changeLinksRequest, createLinkRequest, linkIdsQuery, linksQuery } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { findLinkIds, linksWithFigures } from '../../../events/overview/figures.ts'
import { partnerExists } from '../../../partners/partners.ts'
import { changeLink, createLink, lockLink, setLinksActive } from '../../../partners/referral-links.ts'
import { Refusal } from '../../../refusal.ts'
import { linkCreatedEntry } from '../../answers/audit-entries.ts'
import { refuseOtherSites } from '../../answers/destinations.ts'
import { ID_LIMIT, refuseTooMany } from '../../bulk.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerList, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

export const links = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'tracking:read')
  const mayManage = requireProgram(dependencies, 'partner:manage')

  app.post('/api/programs/:programId/links', mayManage, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const link = check(createLinkRequest, await readJson(c))
    refuseOtherSites(c.get('program'), link.destinationUrl)
    await refuseUnknownPartner(db, { programId, partnerId: link.partnerId })
    const at = clock()
    const created = await inTransaction(db, async (tx) => {
      const made = await createLink(tx, { ...link, programId, createdAt: at })
      await recordAudit(tx, { programId, userId: c.get('user').id, ...linkCreatedEntry(made), at })
      return made
    })
    return c.json({ data: created }, 201)
  })

  app.get('/api/programs/:programId/links', mayRead, async (c) => {
    const query = check(linksQuery, c.req.query())
    const { rows, total } = await linksWithFigures(c.get('db'), { programId: c.get('program').id, ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.get('/api/programs/:programId/links/ids', mayRead, async (c) => {
    const filter = check(linkIdsQuery, c.req.query())
    const ids = await findLinkIds(c.get('db'), { ...filter, programId: c.get('program').id, limit: ID_LIMIT })
    return c.json({ data: refuseTooMany(ids, 'links') })
  })

  app.patch('/api/programs/:programId/links', mayManage, async (c) => {
    const programId = c.get('program').id
    const { ids, active } = check(changeLinksRequest, await readJson(c))
    const by = { programId, userId: c.get('user').id, action: 'link changed', at: clock() }
    const changed = await inTransaction(c.get('db'), async (tx) => {
      const links = await setLinksActive(tx, { programId, ids, active, at: by.at })
      for (const { aff } of links)
        await recordAudit(tx, { ...by, subject: `link ${aff}`, before: { active: !active }, after: { active } })
      return links.length
    })
    return c.json({ data: { changed } })
  })

  app.patch('/api/programs/:programId/links/:linkId', mayManage, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const id = orNotFound(pathId(c, 'linkId'), 'link')
    const change = check(changeLinkRequest, await readJson(c))
    await refuseUnknownPartner(db, { programId, partnerId: change.partnerId })
    const changed = await inTransaction(db, async (tx) => {
      const before = orNotFound(await lockLink(tx, { programId, id }), 'link')
      // A destination that was set before the program had websites may stay.
      if (change.destinationUrl !== before.destinationUrl) refuseOtherSites(c.get('program'), change.destinationUrl)
      const at = clock()
      const after = orNotFound(await changeLink(tx, { ...change, programId, id, at }), 'link')
      const changes = changedFields(before, { ...before, ...change })
      const entry = { action: 'link changed', subject: `link ${before.aff}`, ...changes, at }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return after
    })
    return c.json({ data: changed })
  })
}

type Assignment = { programId: number; partnerId: number | null | undefined }

const refuseUnknownPartner = async (db: Database, { programId, partnerId }: Assignment) => {
  if (partnerId && !(await partnerExists(db, { programId, id: partnerId })))
    throw new Refusal('invalid_request', 'partnerId must be a partner of this program.', { field: 'partnerId' })
}
