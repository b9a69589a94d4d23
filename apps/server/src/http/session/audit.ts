import { auditQuery } from '@tributary/contract'
import { listAudit, listAuditAfter } from '../../audit/audit-log.ts'
import type { App, Dependencies } from '../context.ts'
import { type Cell, streamCsv, wantsCsv } from '../csv.ts'
import { answerList } from '../lists.ts'
import { check } from '../read-json.ts'
import { keysetPages, ROWS } from './export/file.ts'
import { requireProgram } from './require-session.ts'

type Entry = Awaited<ReturnType<typeof listAuditAfter>>[number]

/** The audit log of a program and its workspace. */
export const audit = (app: App, dependencies: Dependencies) => {
  app.get('/api/programs/:programId/audit', requireProgram(dependencies, 'payout:manage'), async (c) => {
    const db = c.get('db')
    const query = check(auditQuery, c.req.query())
    const { id: programId, workspaceId } = c.get('program')
    const filter = { ...query, programId, workspaceId }
    if (wantsCsv(c)) {
      const columns = ['id', 'created_at', 'user_id', 'action', 'subject', 'before', 'after']
      const rows = keysetPages((_, last?: Entry) => listAuditAfter(db, { ...filter, last, limit: ROWS }), entryCells)
      return streamCsv(c, 'audit', columns, rows)
    }
    const { rows, total } = await listAudit(db, filter)
    return answerList(c, rows, { ...query, total })
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
