import { afterEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, givenDataDir } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { runCommand } from './run-command.ts'

afterEach(cleanUp)

/** The service's user. */
const OWNER = 12_345
const giveToService = (folder: string) => spawnSync('chown', ['-R', `${OWNER}:${OWNER}`, folder])
const ownersIn = (folder: string) => new Set(readdirSync(folder).map((name) => statSync(join(folder, name)).uid))

describe.skipIf(process.getuid?.() !== 0)('root restores for a service with its own user', () => {
  test("everything in that user's DATA_DIR belongs to them, and their ARCHIVE_DIR is not touched", async () => {
    const file = join(givenDataDir(), 'b.backup')
    expect(await runCommand('backup', { DATA_DIR: await givenPreparedDataDir() }, file)).toMatchObject({ code: 0 })
    const [DATA_DIR, ARCHIVE_DIR] = [givenDataDir(), givenDataDir()]
    mkdirSync(join(ARCHIVE_DIR, 'wal'))
    for (const folder of [DATA_DIR, ARCHIVE_DIR]) giveToService(folder)
    expect(await runCommand('restore', { DATA_DIR, ARCHIVE_DIR }, file)).toMatchObject({ code: 0 })
    expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(['secrets.json', 'instance.lock', 'postgres']))
    expect(ownersIn(DATA_DIR)).toEqual(new Set([OWNER]))
    expect(ownersIn(join(DATA_DIR, 'postgres'))).toEqual(new Set([OWNER]))
    expect([readdirSync(ARCHIVE_DIR), ownersIn(ARCHIVE_DIR)]).toEqual([['wal'], new Set([OWNER])])
  })
})
