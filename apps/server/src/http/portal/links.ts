import { portalLinkRequest, portalLinksQuery } from '@tributary/contract'
import { note } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { linksWithFigures } from '../../events/overview/figures.ts'
import { createLink } from '../../partners/referral-links.ts'
import { Refusal } from '../../refusal.ts'
import { refuseOtherSites } from '../answers/destinations.ts'
import { creationOf } from '../answers/link-entries.ts'
import type { App, Dependencies } from '../context.ts'
import { answerList } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

const MOST_LINKS = 200

type Row = Awaited<ReturnType<typeof linksWithFigures>>['rows'][number]

/** Who the partner is, they know themselves. */
const safe = ({ partnerId: _, partnerName: __, partnerStatus: ___, partnerArchived: ____, ...link }: Row) => link

/** A partner's own links, and more of them where the program allows it. */
export const portalLinks = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const asPartner = requirePartner(dependencies)
  const path = '/api/portal/programs/:programId/links'

  app.get(path, asPartner, async (c) => {
    const query = check(portalLinksQuery, c.req.query())
    const asked = { ...query, programId: c.get('program').id, partnerId: c.get('partner').partnerId }
    const { rows, total } = await linksWithFigures(db, asked)
    return answerList(c, rows.map(safe), { ...query, total })
  })

  app.post(path, asPartner, async (c) => {
    const { id: programId, partnersCreateLinks } = c.get('program')
    const { partnerId, status, archived } = c.get('partner')
    if (!partnersCreateLinks)
      throw new Refusal('forbidden', 'In this program links are made by its owner. Ask for one.')
    if (archived) throw new Refusal('forbidden', 'The program has archived your partnership, so links cannot be made.')
    if (status !== 'approved') throw new Refusal('forbidden', 'Links can be made once you are approved.')
    const request = check(portalLinkRequest, await readJson(c))
    refuseOtherSites(c.get('program'), request.destinationUrl)
    const one = { programId, partnerId, sort: 'createdAt' as const, page: 1, pageSize: 1 }
    if ((await linksWithFigures(db, one)).total >= MOST_LINKS)
      throw new Refusal('conflict', `You have ${MOST_LINKS} links, and more cannot be made here.`)
    const at = clock()
    const { partnerId: _, ...link } = await inTransaction(db, async (tx) => {
      const made = await createLink(tx, { ...request, active: true, programId, partnerId, createdAt: at })
      await note(tx, { programId, userId: c.get('user').id, byPartnerId: partnerId, ...creationOf(made), at })
      return made
    })
    return c.json({ data: { ...link, leads: 0, sales: 0, revenue: [], commissions: [] } }, 201)
  })
}
