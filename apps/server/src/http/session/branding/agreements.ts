import { agreementRequest } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { announceAgreement } from '../../../notifications/announce-terms.ts'
import { countAcceptances } from '../../../partners/agreement-acceptances.ts'
import { addAgreement, findAgreement } from '../../../programs/agreements.ts'
import { lockProgram } from '../../../programs/programs.ts'
import type { App, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** The legal text that partners accept. */
export const agreements = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies

  const statusOf = async (db: Database, programId: number) => {
    const current = await findAgreement(db, programId)
    return { current, ...(await countAcceptances(db, programId, current?.version ?? 0)) }
  }

  app.get('/api/programs/:programId/agreement', requireProgram(dependencies, 'program:read'), async (c) =>
    c.json({ data: await statusOf(c.get('db'), c.get('program').id) }),
  )

  app.put('/api/programs/:programId/agreement', requireProgram(dependencies, 'program:update'), async (c) => {
    const { text } = check(agreementRequest, await readJson(c))
    const { id: programId } = c.get('program')
    const at = clock()
    await inTransaction(c.get('db'), async (tx) => {
      await lockProgram(tx, programId)
      const added = await addAgreement(tx, { programId, text, at })
      if (!added) return
      const before = added.before && { version: added.before.version, text: added.before.text }
      const change = { before, after: { version: added.version, text } }
      const entry = { action: 'program agreement changed', subject: 'program', ...change, at }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      if (text !== null) await announceAgreement(tx, { programId, version: added.version, at })
    })
    return c.json({ data: await statusOf(c.get('db'), programId) })
  })
}
