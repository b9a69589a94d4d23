import { csvFormat } from '../lists.ts'
import { operations } from '../openapi/declaration.ts'
import { auditEntry, auditQuery } from './money.ts'

export const AUDIT_LOG = operations({
  list: {
    method: 'get',
    path: '/api/programs/{programId}/audit',
    permission: 'payout:manage',
    summary: 'List audit log entries',
    description:
      'Lists who changed what in the program and its workspace, newest first. Add `format=csv` to download every entry.',
    query: auditQuery.extend(csvFormat),
    list: auditEntry,
    file: true,
  },
})
