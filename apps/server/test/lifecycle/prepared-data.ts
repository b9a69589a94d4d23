import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockInstance } from '../../src/startup/instance-lock.ts'
import { fastFolder } from '../support/fast-folder.ts'
import { asService } from '../support/postgres.ts'
import { givenDataDir, givenService, until } from './given-service.ts'

/** `migrated`: as a first start leaves it. `demo`: with the demo data. */
type Kind = 'migrated' | 'demo'

/** Below the socket folder of the test cluster: the process that started the cluster removes both. */
const sharedFolder = async (kind: Kind) => {
  const socketFolder = new URL(await asService('postgres://localhost/any')).searchParams.get('host') ?? ''
  const folder = join(socketFolder, 'prepared', kind)
  mkdirSync(folder, { recursive: true })
  return folder
}

const makeTemplate = async (kind: Kind, template: string) => {
  const draft = `${template}-draft`
  rmSync(draft, { recursive: true, force: true }) // left by a process that died
  mkdirSync(draft)
  const service = await givenService({ env: { DATA_DIR: draft, DEMO: String(kind === 'demo') } })
  service.kill('SIGTERM')
  const ended = await service.ended()
  if (ended.code !== 0) throw new Error(`the template was not created: ${JSON.stringify(ended)}`)
  for (const name of ['instance.lock', 'postgres.log']) rmSync(join(draft, name))
  renameSync(draft, template)
}

/** Test processes run in parallel: one creates the template while the others wait for it. */
const findTemplate = async (kind: Kind) => {
  const folder = await sharedFolder(kind)
  const template = join(folder, 'data')
  let lock: ReturnType<typeof lockInstance> | null = null
  await until(() => {
    if (existsSync(template)) return true
    lock ??= tryLock(folder)
    return lock !== null
  }, 180_000)
  try {
    if (!existsSync(template)) await makeTemplate(kind, template)
  } finally {
    ;(lock as ReturnType<typeof lockInstance> | null)?.release()
  }
  return template
}

const tryLock = (folder: string) => {
  try {
    return lockInstance(folder)
  } catch {
    return null
  }
}

/** Copies the data of a service into an existing folder. A start on it creates no cluster and runs no migration. */
export const copyPreparedData = async (to: string, kind: Kind = 'migrated') => {
  const copied = spawnSync('cp', ['-a', `${await findTemplate(kind)}/.`, to])
  if (copied.status !== 0) throw new Error(`the data folder cannot be copied: ${copied.stderr}`)
}

/** The data folder of a service that has run before. Tests of crash recovery keep it on disk. */
export const givenPreparedDataDir = async (kind: Kind = 'migrated', { isOnDisk = false } = {}) => {
  const dataDir = givenDataDir(isOnDisk ? tmpdir() : fastFolder())
  await copyPreparedData(dataDir, kind)
  return dataDir
}
