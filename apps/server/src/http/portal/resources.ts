import { addressWith, destinationOf } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { linksWithFigures } from '../../events/overview/figures.ts'
import { codeAsAff } from '../../partners/code-links.ts'
import { findResourceFile, listResources } from '../../programs/resources.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { sendAttachment } from '../files/send-attachment.ts'
import { answerWhole, orNotFound, pathId } from '../lists.ts'
import { requirePartner } from './require-partner.ts'

/** Anyone can apply, so resources are for approved partners only. */
const requireApproved = (c: Call) => {
  const { status, archived } = c.get('partner')
  if (status !== 'approved' || archived)
    throw new Refusal('forbidden', 'Resources are for approved partners. Contact the program if you think you are one.')
}

/** The partner's oldest active link, or their code on the program's website. Null without a page, or if the code is taken. */
const shareAddress = async (c: Call, db: Database) => {
  const { id: programId, websites } = c.get('program')
  const { partnerId, code } = c.get('partner')
  const oldest = { page: 1, pageSize: 1, sort: 'createdAt', active: 'true' } as const
  const [link] = (await linksWithFigures(db, { programId, partnerId, ...oldest })).rows
  const page = destinationOf(link?.destinationUrl ?? null, websites)
  if (!page) return null
  if (!link && (await codeAsAff(db, { programId, partnerId, code })) === 'taken') return null
  return addressWith(page, { aff: link?.aff ?? code })
}

/** Files and texts that the program offers its partners. */
export const portalResources = (app: App, dependencies: Dependencies) => {
  const asPartner = requirePartner(dependencies)
  const path = '/api/portal/programs/:programId/resources'

  app.get(path, asPartner, async (c) => {
    const db = c.get('db')
    requireApproved(c)
    const link = await shareAddress(c, db)
    const { code } = c.get('partner')
    const fill = (text: string) => text.replaceAll('{link}', () => link ?? '{link}').replaceAll('{code}', () => code)
    const rows = await listResources(db, c.get('program').id)
    return answerWhole(
      c,
      rows.map((row) => ({ ...row, body: row.body === null ? null : fill(row.body) })),
    )
  })

  app.get(`${path}/:resourceId/file`, asPartner, async (c) => {
    requireApproved(c)
    const id = orNotFound(pathId(c, 'resourceId'), 'file')
    const file = await findResourceFile(c.get('db'), { programId: c.get('program').id, id })
    return sendAttachment(c, orNotFound(file, 'file'))
  })
}
