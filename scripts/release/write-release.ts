/**
 * Writes docs/releases/<version>: the schema as released, a small instance on it, and what its money must be after any upgrade.
 * apps/server/test/lifecycle/upgrade.test.ts upgrades from every release kept there.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@tributary/contract/version'
import { readConfig } from '../../apps/server/src/config/config.ts'
import { toFile } from '../../apps/server/src/database/backup/destination.ts'
import { writeBackup } from '../../apps/server/src/database/backup/write-backup.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/database/embedded.ts'
import { MIGRATIONS_DIRECTORY, OWN_MIGRATIONS } from '../../apps/server/src/database/schema/own-migrations.ts'
import { asOwner } from '../../apps/server/src/database/start/as-owner.ts'
import { sealAll } from '../../apps/server/src/money/ledger/seal.ts'
import { startService } from '../../apps/server/src/service.ts'
import { verifyEverything } from '../../apps/server/src/tracking/payments/verify-payments.ts'
import { createReleaseData, OWNER } from './create-release-data.ts'

const FOLDER = join(import.meta.dir, '../../docs/releases', VERSION)
/** Known to everyone: they protect nothing but this instance. */
const SECRETS = {
  sessionSecret: 'session secret of the kept release',
  hashKey: 'hash key of the kept release 0123456789',
  databasePassword: 'database password of the kept release',
}
/** The data is of these weeks, whenever it is made. */
const STARTS_AT = Date.parse('2026-09-01T08:00:00Z')

/** The migrations in one file: later versions must not edit them. */
const schemaText = () =>
  OWN_MIGRATIONS.map((name) => {
    const text = readFileSync(join(MIGRATIONS_DIRECTORY, `${name}.sql`), 'utf8')
    return `-- migration ${name}\n${text.trim()}\n`
  }).join('\n')

const writeRelease = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-release-'))
  const postgres = await startEmbeddedPostgres({ dataDir, password: SECRETS.databasePassword })
  let now = STARTS_AT
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, DEMO: 'false', LOG_LEVEL: 'warn' })
  const urls = { databaseUrl: postgres.serviceUrl, ownerUrl: postgres.url }
  const service = await startService({ config, secrets: SECRETS, ...urls, clock: () => new Date(now) })
  const advanceDays = (days: number) => {
    now += days * 86_400_000
  }
  try {
    const expected = await createReleaseData({ url: service.url, advanceDays })
    await service.stop()
    const heads = await asOwner(postgres.url, sealedHeads(new Date(now)))
    mkdirSync(FOLDER, { recursive: true })
    const file = join(FOLDER, 'data.backup')
    rmSync(file, { force: true })
    const destination = toFile(file)
    await writeBackup({
      databaseUrl: postgres.url,
      destination,
      key: null,
      secrets: SECRETS,
      at: new Date(now),
      progress: () => {},
    })
    writeFileSync(join(FOLDER, 'schema.sql'), schemaText())
    const facts = { version: VERSION, at: new Date(now), owner: OWNER, heads, ...expected }
    writeFileSync(join(FOLDER, 'expected.json'), `${JSON.stringify(facts, null, 2)}\n`)
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Seals everything and verifies it: a release that is wrong from the start would make every later test pass. */
const sealedHeads = (at: Date) => async (db: Parameters<typeof sealAll>[0]) => {
  const heads: string[] = []
  await sealAll(db, at, () => {})
  const { differences } = await verifyEverything(db, {
    sealedBefore: null,
    onProgram: (_, { head }) => {
      if (head) heads.push(head)
    },
  })
  if (differences > 0) throw new Error(`The new release has ${differences} differences in its ledger.`)
  return heads
}

await writeRelease()
console.log(`Wrote ${FOLDER}.`)
