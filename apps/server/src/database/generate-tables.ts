/** Writes tables.ts from a freshly migrated database; `--check` only verifies that it is up to date. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { openPool } from './connect.ts'
import { startEmbeddedPostgres } from './embedded.ts'
import { migrate } from './schema/migrate.ts'

const FILE = join(import.meta.dir, 'tables.ts')
const CODEGEN = join(Bun.resolveSync('kysely-codegen/package.json', import.meta.dir), '..', 'dist', 'cli', 'bin.js')

/** The types that connect.ts returns for these columns. */
const TYPES = { int8: 'number', numeric: 'number', bytea: 'Uint8Array' }

const withMigratedDatabase = async (use: (url: string, folder: string) => Promise<void>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-generate-'))
  const server = await startEmbeddedPostgres({ dataDir, password: 'temporary' })
  try {
    const database = new Kysely({ dialect: new PostgresDialect({ pool: openPool(server.url, { max: 1 }) }) })
    await migrate(database)
    await database.destroy()
    await use(server.url, dataDir)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const writeTables = async (url: string, file: string) => {
  const flags = ['--dialect', 'postgres', '--camel-case', '--date-parser', 'string', '--exclude-pattern', 'kysely_*']
  const types = ['--type-mapping', JSON.stringify(TYPES)]
  const command = [process.execPath, CODEGEN, '--url', url, '--out-file', file, ...flags, ...types]
  const codegen = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' })
  if ((await codegen.exited) !== 0) throw new Error('kysely-codegen failed')
}

await withMigratedDatabase(async (url, folder) => {
  if (!process.argv.includes('--check')) return writeTables(url, FILE)
  const fresh = join(folder, 'tables.ts')
  await writeTables(url, fresh)
  if (readFileSync(fresh, 'utf8') !== readFileSync(FILE, 'utf8')) {
    console.error('apps/server/src/database/tables.ts does not match the migrations. Run npm run generate.')
    process.exitCode = 1
  }
})
