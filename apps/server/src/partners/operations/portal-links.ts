import { isOnWebsites } from '@tributary/contract'
import { PORTAL_LINKS } from '@tributary/contract/declared'
import { linksWithFigures } from '../../events/overview/figures.ts'
import type { Partner } from '../../platform/actor.ts'
import { runs } from '../../platform/runs.ts'
import { lockProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { findGroupOfPartner } from '../group-changes.ts'
import { countLinks, createLink } from '../referral-links.ts'
import { linkCreated, refuseOtherSites } from './new-links.ts'

const MAX_LINKS = 200

/** Lists a partner's links, and creates one if the program allows it. */
export const portalLinks = runs(
  PORTAL_LINKS,
  {},
  {
    list: async ({ db, program, partner, query }) => {
      const filter = { ...query, programId: program.id, partnerId: partner.partnerId }
      const { rows, total } = await linksWithFigures(db, filter)
      return { rows: rows.map(withoutPartner), total }
    },

    create: {
      allow: ({ program, partner }) => refuseWhoMayNot(program, partner),
      run: async ({ tx, program, partner, clock, audit, body }) => {
        const { partnerId } = partner
        const programId = program.id
        refuseOtherSites(program, body.destinationUrl)
        // Of concurrent calls, each counts the links of those before it.
        await lockProgram(tx, programId)
        if ((await countLinks(tx, { programId, partnerId })) >= MAX_LINKS)
          throw new Refusal(
            'conflict',
            `You have reached the limit of ${MAX_LINKS} links. Ask the program if you need more.`,
          )
        const at = clock()
        const group = await findGroupOfPartner(tx, { programId, partnerId })
        const destinationUrl = body.destinationUrl ?? landingPageOf(program, group?.landingPages ?? [])
        const link = { ...body, destinationUrl, active: true, programId, partnerId, createdAt: at }
        const { partnerId: _, ...made } = await createLink(tx, link)
        await audit(tx, { ...linkCreated({ ...made, partnerId }), at })
        return { ...made, destinationUrl, leads: 0, sales: 0, revenue: [], commissions: [] }
      },
    },
  },
)

type Row = Awaited<ReturnType<typeof linksWithFigures>>['rows'][number]

/** Leaves out the partner's own data, which the portal already has. */
const withoutPartner = ({ partnerId: _, partnerName: __, partnerStatus: ___, partnerArchived: ____, ...link }: Row) =>
  link

const refuseWhoMayNot = ({ partnersCreateLinks }: Program, { archived, status }: Partner) => {
  if (!partnersCreateLinks)
    throw new Refusal('forbidden', 'Partners can’t create links in this program. Ask the program for one.')
  if (archived)
    throw new Refusal('forbidden', 'The program has archived you, so you can’t create links. Contact the program.')
  if (status !== 'approved') throw new Refusal('forbidden', 'You can create links once the program has approved you.')
}

/** The group's first landing page that is still on the program's websites. */
const landingPageOf = ({ websites }: Program, landingPages: string[]) =>
  landingPages.find((page) => isOnWebsites(page, websites)) ?? null
