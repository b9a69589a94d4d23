import { listWorkspacesWithOwners } from '../../accounts/operator.ts'
import { TRIBUTARY } from '../../config/command-name.ts'
import { listAllPrograms } from '../../programs/programs.ts'
import { formatCount, type Terminal, withErrorOutput } from '../terminal.ts'
import { withServiceDatabase } from '../with-service-database.ts'
import { readArguments } from './read-arguments.ts'

/** Aligned columns; the last one is not padded. */
export const printTable = (print: Terminal['print'], rows: string[][]) => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

export const listWorkspaces = withErrorOutput(async ({ args, env, print }) => {
  readArguments(args, { usage: 'workspaces' })
  await withServiceDatabase(env, async ({ db }) => {
    const rows = await listWorkspacesWithOwners(db)
    if (rows.length === 0)
      return print(`There are no workspaces yet. Create one with: ${TRIBUTARY} admin create-owner EMAIL`)
    const cells = rows.map(({ id, name, members, owners }) => [
      id,
      name,
      formatCount(members, 'member'),
      owners.join(', '),
    ])
    printTable(print, [['ID', 'NAME', 'MEMBERS', 'OWNERS'], ...cells])
  })
  return 0
})

export const listPrograms = withErrorOutput(async ({ args, env, print }) => {
  readArguments(args, { usage: 'programs' })
  await withServiceDatabase(env, async ({ db }) => {
    const rows = await listAllPrograms(db)
    if (rows.length === 0) return print('There are no programs yet. Create one in the dashboard.')
    const cells = rows.map(({ id, name, currency, workspaceId }) => [String(id), name, currency, workspaceId])
    printTable(print, [['ID', 'NAME', 'CURRENCY', 'WORKSPACE'], ...cells])
  })
  return 0
})
