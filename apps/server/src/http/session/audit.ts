import { auditQuery } from '@tributary/contract'
import { listAudit } from '../../audit/audit-log.ts'
import type { App, Dependencies } from '../context.ts'
import { check } from '../read-json.ts'
import { answerCsv, type Cell, WHOLE_LIST, wantsCsv } from './csv.ts'
import { answerList } from './lists.ts'
import { requireProgram } from './require-session.ts'

type Entry = Awaited<ReturnType<typeof listAudit>>['rows'][number]

/** Who changed money or terms. */
export const audit = (app: App, dependencies: Dependencies) => {
  const { db } = dependencies
  app.get('/api/programs/:programId/audit', requireProgram(dependencies, 'payout:manage'), async (c) => {
    const query = check(auditQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : query
    const { rows, total } = await listAudit(db, { programId: c.get('program').id, ...query, ...page })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const columns = ['id', 'created_at', 'user_id', 'action', 'subject', 'before', 'after']
    return answerCsv(c, 'audit', columns, rows.map(entryCells))
  })
}

const entryCells = (row: Entry): Cell[] => [
  row.id,
  row.createdAt,
  row.userId,
  row.action,
  row.subject,
  json(row.before),
  json(row.after),
]

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
