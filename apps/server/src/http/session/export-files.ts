import { EXPORT_FILES, exportQuery } from '@tributary/contract'
import type { App, Dependencies } from '../context.ts'
import { streamCsv } from '../csv.ts'
import { orNotFound } from '../lists.ts'
import { check } from '../read-json.ts'
import { EXPORTS } from './export/files.ts'
import { requirePermission, requireProgram } from './require-session.ts'

/** GET /api/programs/:programId/export/:file streams a whole table as CSV. */
export const exportFiles = (app: App, dependencies: Dependencies) => {
  app.get('/api/programs/:programId/export/:file', requireProgram(dependencies, 'program:read'), async (c) => {
    const program = c.get('program')
    const name = orNotFound(
      EXPORT_FILES.find((file) => `${file}.csv` === c.req.param('file')),
      'file',
    )
    const { permission, columns, rows } = EXPORTS[name]
    await requirePermission(dependencies, { user: c.get('user'), workspaceId: program.workspaceId, permission })
    const query = check(exportQuery, c.req.query())
    const source = await dependencies.reports(c.get('db'))
    c.header('x-data-as-of', source.at.toISOString())
    return streamCsv(c, name, columns, rows({ ...source, program, query }))
  })
}
