import { isOnWebsites, portalLinkRequest, portalLinksQuery } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { linksWithFigures } from '../../events/overview/figures.ts'
import { findGroupOfPartner } from '../../partners/group-changes.ts'
import { createLink } from '../../partners/referral-links.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { linkCreatedEntry } from '../answers/audit-entries.ts'
import { refuseOtherSites } from '../answers/destinations.ts'
import type { App, Dependencies } from '../context.ts'
import { answerList } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

const MAX_LINKS = 200

type Row = Awaited<ReturnType<typeof linksWithFigures>>['rows'][number]

/** Leaves out the partner's own data, which the portal already has. */
const portalLink = ({ partnerId: _, partnerName: __, partnerStatus: ___, partnerArchived: ____, ...link }: Row) => link

/** The group's first landing page that is still on the program's websites. */
const landingPageOf = ({ websites }: Program, landingPages: string[]) =>
  landingPages.find((page) => isOnWebsites(page, websites)) ?? null

/** Lists a partner's links, and creates one if the program allows it. */
export const portalLinks = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const asPartner = requirePartner(dependencies)
  const path = '/api/portal/programs/:programId/links'

  app.get(path, asPartner, async (c) => {
    const query = check(portalLinksQuery, c.req.query())
    const filter = { ...query, programId: c.get('program').id, partnerId: c.get('partner').partnerId }
    const { rows, total } = await linksWithFigures(c.get('db'), filter)
    return answerList(c, rows.map(portalLink), { ...query, total })
  })

  app.post(path, asPartner, async (c) => {
    const db = c.get('db')
    const { id: programId, partnersCreateLinks } = c.get('program')
    const { partnerId, status, archived } = c.get('partner')
    if (!partnersCreateLinks)
      throw new Refusal('forbidden', 'Partners can’t create links in this program. Ask the program for one.')
    if (archived)
      throw new Refusal('forbidden', 'The program has archived you, so you can’t create links. Contact the program.')
    if (status !== 'approved') throw new Refusal('forbidden', 'You can create links once the program has approved you.')
    const request = check(portalLinkRequest, await readJson(c))
    refuseOtherSites(c.get('program'), request.destinationUrl)
    const one = { programId, partnerId, sort: 'createdAt' as const, page: 1, pageSize: 1 }
    if ((await linksWithFigures(db, one)).total >= MAX_LINKS)
      throw new Refusal(
        'conflict',
        `You have reached the limit of ${MAX_LINKS} links. Ask the program if you need more.`,
      )
    const at = clock()
    const group = await findGroupOfPartner(db, { programId, partnerId })
    const destinationUrl = request.destinationUrl ?? landingPageOf(c.get('program'), group?.landingPages ?? [])
    const { partnerId: _, ...link } = await inTransaction(db, async (tx) => {
      const made = await createLink(tx, {
        ...request,
        destinationUrl,
        active: true,
        programId,
        partnerId,
        createdAt: at,
      })
      await recordAudit(tx, {
        programId,
        userId: c.get('user').id,
        byPartnerId: partnerId,
        ...linkCreatedEntry(made),
        at,
      })
      return made
    })
    return c.json({ data: { ...link, leads: 0, sales: 0, revenue: [], commissions: [] } }, 201)
  })
}
