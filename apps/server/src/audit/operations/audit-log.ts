import { AUDIT_LOG } from '@tributary/contract/declared'
import { type Cell, keysetPages, ROWS } from '../../platform/csv-pages.ts'
import { csvFile } from '../../platform/files.ts'
import { runs } from '../../platform/runs.ts'
import { listAudit, listAuditAfter } from '../audit-log.ts'

type Entry = Awaited<ReturnType<typeof listAuditAfter>>[number]

/** The audit log of a program and its workspace. */
export const auditLog = runs(
  AUDIT_LOG,
  {},
  {
    list: async ({ db, program: { id: programId, workspaceId }, query }) => {
      const filter = { ...query, programId, workspaceId }
      if (query.format !== 'csv') return listAudit(db, filter)
      const rows = keysetPages((_, last?: Entry) => listAuditAfter(db, { ...filter, last, limit: ROWS }), entryCells)
      return csvFile({ name: 'audit', columns: COLUMNS, rows })
    },
  },
)

const COLUMNS = ['id', 'created_at', 'user_id', 'action', 'subject', 'before', 'after']

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
