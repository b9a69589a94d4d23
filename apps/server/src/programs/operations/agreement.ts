import { AGREEMENT } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { announceAgreement } from '../../notifications/announce-terms.ts'
import { countAcceptances } from '../../partners/agreement-acceptances.ts'
import { runs } from '../../platform/runs.ts'
import { addAgreement, findAgreement } from '../agreements.ts'
import { lockProgram } from '../programs.ts'

export const agreement = runs(
  AGREEMENT,
  {},
  {
    get: ({ db, program }) => statusOf(db, program.id),

    set: async ({ tx, program: { id: programId }, clock, audit, body: { text } }) => {
      const at = clock()
      await lockProgram(tx, programId)
      const added = await addAgreement(tx, { programId, text, at })
      if (added) {
        const { version } = added
        const before = added.before && { version: added.before.version, text: added.before.text }
        const change = { before, after: { version, text }, at }
        await audit(tx, { action: 'program agreement changed', subject: 'program', ...change })
        if (text !== null) await announceAgreement(tx, { programId, version, at })
      }
      return statusOf(tx, programId)
    },
  },
)

const statusOf = async (db: Database | Tx, programId: number) => {
  const current = await findAgreement(db, programId)
  return { current, ...(await countAcceptances(db, programId, current?.version ?? 0)) }
}
