import { PORTAL_PAYOUTS } from '@tributary/contract/declared'
import { csvFile } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { findStatement } from '../payouts/find-statement.ts'
import { listPartnerPayouts } from '../payouts/list-partner-payouts.ts'
import { findPortalFile } from './portal-files.ts'

/** A partner's payouts and statements, and their records as files. The key of a thing has the caller's partnerId. */
export const portalPayouts = runs(
  PORTAL_PAYOUTS,
  { lineId: { what: 'statement', find: findStatement }, file: { what: 'file', find: findPortalFile } },
  {
    list: ({ db, program, partner: { partnerId }, query }) =>
      listPartnerPayouts(db, { programId: program.id, partnerId, ...query }),

    statement: async ({ db, program: { id: programId }, partner: { partnerId }, line: latest, query: { version } }) => {
      if (version === undefined) return latest
      const { lineId } = latest
      return orNotFound(await findStatement(db, { programId, partnerId, lineId, version }), 'statement')
    },

    export: async ({ db, program, partner: { partnerId }, file: { name, columns, rows }, clock, query: filter }) =>
      csvFile({ name, columns, rows: rows({ db, programId: program.id, partnerId, at: clock(), filter }) }),
  },
)
