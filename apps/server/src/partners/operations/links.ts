import { LINKS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { findLinkIds, linksWithFigures } from '../../events/overview/figures.ts'
import { ID_LIMIT, refuseTooMany } from '../../platform/bulk.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { partnerExists } from '../partners.ts'
import { changeLink, createLink, findLink, lockLink, setLinksActive } from '../referral-links.ts'
import { linkCreated, refuseOtherSites } from './new-links.ts'

export const links = runs(
  LINKS,
  { linkId: { what: 'link', find: findLink } },
  {
    create: async ({ tx, program, clock, audit, body: link }) => {
      const programId = program.id
      refuseOtherSites(program, link.destinationUrl)
      await refuseUnknownPartner(tx, { programId, partnerId: link.partnerId })
      const at = clock()
      const made = await createLink(tx, { ...link, programId, createdAt: at })
      await audit(tx, { ...linkCreated(made), at })
      return made
    },

    list: ({ db, program, query }) => linksWithFigures(db, { programId: program.id, ...query }),

    changeSeveral: async ({ tx, program, clock, audit, body: { ids, active } }) => {
      const at = clock()
      const changed = await setLinksActive(tx, { programId: program.id, ids, active, at })
      const change = { before: { active: !active }, after: { active }, at }
      for (const { aff } of changed) await audit(tx, { action: 'link changed', subject: `link ${aff}`, ...change })
      return { changed: changed.length }
    },

    change: async ({ tx, program, params: { linkId: id }, clock, audit, body: change }) => {
      const programId = program.id
      await refuseUnknownPartner(tx, { programId, partnerId: change.partnerId })
      const before = orNotFound(await lockLink(tx, { programId, id }), 'link')
      // A destination that was set before the program had websites may stay.
      if (change.destinationUrl !== before.destinationUrl) refuseOtherSites(program, change.destinationUrl)
      const at = clock()
      const after = orNotFound(await changeLink(tx, { ...change, programId, id, at }), 'link')
      const changes = changedFields(before, { ...before, ...change })
      if (changes) await audit(tx, { action: 'link changed', subject: `link ${before.aff}`, ...changes, at })
      return after
    },

    ids: async ({ db, program, query }) =>
      refuseTooMany(await findLinkIds(db, { ...query, programId: program.id, limit: ID_LIMIT }), 'links'),
  },
)

type Assignment = { programId: number; partnerId: number | null | undefined }

const refuseUnknownPartner = async (tx: Tx, { programId, partnerId }: Assignment) => {
  if (partnerId && !(await partnerExists(tx, { programId, id: partnerId })))
    throw new Refusal('invalid_request', 'partnerId must be a partner of this program.', { field: 'partnerId' })
}
