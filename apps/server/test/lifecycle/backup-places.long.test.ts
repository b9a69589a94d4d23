import { afterEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encrypt } from '../../src/database/backup/encryption.ts'
import { openBucket } from '../../src/database/backup/s3.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { startS3Server } from '../support/s3-server.ts'
import { isLongRun } from '../support/size.ts'
import { givenDatabase, queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, ROOT } from './given-service.ts'
import { runCommand } from './run-command.ts'

afterEach(cleanUp)

const BACKUP_KEY = 'a key for backups, 0123456789abcdef'

const givenInstance = async (more: Record<string, string> = {}) => {
  const DATA_DIR = givenDataDir()
  loadSecrets(DATA_DIR)
  const DATABASE_URL = await givenDatabase()
  const program = `INSERT INTO programs (workspace_id, name, created_at) VALUES ('w', 'Kept', now())`
  await queryOn(DATABASE_URL, `INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')`, program)
  return { DATA_DIR, DATABASE_URL, ...more }
}

const givenEmpty = async (more: Record<string, string> = {}) => ({
  DATA_DIR: givenDataDir(),
  DATABASE_URL: await givenDatabase('template1'),
  ...more,
})

const programsIn = (env: { DATABASE_URL: string }) => queryOn(env.DATABASE_URL, 'SELECT name FROM programs')

const givenS3 = () => {
  const s3 = startS3Server()
  afterwards(s3.stop)
  return s3
}

describe('backups in a folder', () => {
  test('--keep removes only older backups that it named, and restore takes the newest', async () => {
    const env = await givenInstance()
    const folder = givenDataDir()
    const old = ['tributary-20200101T000000Z.backup', 'tributary-20200102T000000Z.backup']
    for (const name of [...old, 'mine.backup']) writeFileSync(join(folder, name), 'old')
    const backup = await runCommand('backup', env, folder, '--keep', '2')
    expect([backup.code, backup.stderr]).toEqual([0, ''])
    expect(backup.stdout).toContain(`${old[0]}: removed.`)
    const [mine, kept, newest, ...more] = readdirSync(folder).sort()
    expect([mine, kept, more]).toEqual(['mine.backup', old[1], []])
    expect(newest).toMatch(/^tributary-\d{8}T\d{6}Z\.backup$/)
    expect(JSON.parse(readFileSync(join(env.DATA_DIR, 'last-backup.json'), 'utf8'))).toMatchObject({
      to: join(folder, newest ?? ''),
    })

    const elsewhere = await givenEmpty()
    expect(await runCommand('restore', elsewhere, folder)).toMatchObject({ code: 0, stderr: '' })
    expect(await programsIn(elsewhere)).toEqual([{ name: 'Kept' }])
  })

  test('--keep needs a folder and a number', async () => {
    const env = await givenInstance()
    const file = join(givenDataDir(), 'one.backup')
    expect((await runCommand('backup', env, file, '--keep', '2')).stderr).toMatch(/^--keep needs a folder/)
    expect((await runCommand('backup', env, env.DATA_DIR, '--keep', '0')).stderr).toMatch(/^--keep must be a number/)
    expect((await runCommand('backup', env, file, '--kep', '2')).stderr).toMatch(/^Name the backup file/)
  })
})

describe('an encrypted backup', () => {
  test('restores only with its key, whole and unchanged', async () => {
    const env = await givenInstance({ BACKUP_KEY })
    const file = join(givenDataDir(), 'one.backup')
    expect((await runCommand('backup', env, file)).stdout).toContain('It is encrypted.')
    const elsewhere = await givenEmpty()
    const restore = (more: object) => runCommand('restore', { ...elsewhere, ...more }, file)
    expect((await restore({})).stderr).toBe(
      `${file} is encrypted. Set BACKUP_KEY to the key of the instance that was backed up.\n`,
    )
    expect((await restore({ BACKUP_KEY: BACKUP_KEY.replace('key', 'cat') })).stderr).toBe(
      `${file} does not open with this BACKUP_KEY, or it is damaged.\n`,
    )
    const whole = readFileSync(file)
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(whole.length - 50) ^ 1, whole.length - 50)
    for (const damaged of [changed, whole.subarray(0, -1)]) {
      writeFileSync(file, damaged)
      expect((await restore({ BACKUP_KEY })).code).toBe(1)
    }
    writeFileSync(file, whole)
    expect(await restore({ BACKUP_KEY })).toMatchObject({ code: 0, stderr: '' })
    expect(await programsIn(elsewhere)).toEqual([{ name: 'Kept' }])
  })

  test('is not cut off unnoticed between two chunks', async () => {
    const { decrypt, HEADER_BYTES } = await import('../../src/database/backup/encryption.ts')
    const stream = encrypt(BACKUP_KEY)
    stream.end(Buffer.alloc(3 * 65_536))
    const sealed = Buffer.concat(await stream.toArray())
    const open = (content: Buffer) => {
      const opened = decrypt(BACKUP_KEY, { header: sealed.subarray(0, HEADER_BYTES), file: 'it' })
      opened.end(content.subarray(HEADER_BYTES))
      return opened.toArray()
    }
    expect(Buffer.concat(await open(sealed)).length).toBe(3 * 65_536)
    const withoutLast = sealed.subarray(0, HEADER_BYTES + 2 * (65_536 + 16))
    expect(open(withoutLast)).rejects.toThrow('damaged or truncated')
  })
})

describe('backups in S3-compatible storage', () => {
  test('are written, rotated and restored with signed requests', async () => {
    const s3 = givenS3()
    const env = await givenInstance({ ...s3.env, BACKUP_KEY })
    s3.objects.set('bucket/daily/tributary-20200101T000000Z.backup', Buffer.from('old'))
    const backup = await runCommand('backup', env, 's3://bucket/daily', '--keep', '1')
    expect([backup.code, backup.stderr]).toEqual([0, ''])
    const keys = [...s3.objects.keys()]
    expect(keys).toEqual([expect.stringMatching(/^bucket\/daily\/tributary-2\d{7}T\d{6}Z\.backup$/)])
    const elsewhere = await givenEmpty({ ...s3.env, BACKUP_KEY })
    expect(await runCommand('restore', elsewhere, 's3://bucket/daily/')).toMatchObject({ code: 0, stderr: '' })
    expect(await programsIn(elsewhere)).toEqual([{ name: 'Kept' }])
    expect(readdirSync(elsewhere.DATA_DIR).filter((name) => name.endsWith('.part'))).toEqual([])
    const missing = await runCommand('restore', elsewhere, 's3://bucket/daily/other.backup')
    expect([missing.code, missing.stderr]).toEqual([1, 's3://bucket/daily/other.backup does not exist.\n'])
  })

  test('are refused with a sentence without keys, with wrong ones, and while it is down', async () => {
    const s3 = givenS3()
    const env = await givenInstance()
    const run = async (more: object) => (await runCommand('backup', { ...env, ...more }, 's3://bucket/daily')).stderr
    expect(await run({})).toBe('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to use S3 storage.\n')
    expect(await run({ ...s3.env, S3_SECRET_ACCESS_KEY: 'wrong' })).toMatch(
      /^s3:\/\/bucket\/daily\/tributary-\w+\.backup: the storage refused the request \(SignatureDoesNotMatch/,
    )
    s3.stop()
    expect(await run(s3.env)).toMatch(/^s3:.*ConnectionRefused/)
    expect(s3.objects.size).toBe(0)
  })

  test.skipIf(!isLongRun)('are uploaded in parts when they are large', async () => {
    const s3 = givenS3()
    const settings = { accessKeyId: s3.env.S3_ACCESS_KEY_ID, secretAccessKey: s3.env.S3_SECRET_ACCESS_KEY }
    const bucket = openBucket('s3://bucket', { ...settings, endpoint: s3.env.S3_ENDPOINT, region: 'us-east-1' })
    const { stream, publish } = bucket.write('large').open()
    const content = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
    for (let chunk = 0; chunk < 1_200; chunk++)
      if (!stream.write(content)) await new Promise((resolve) => stream.once('drain', resolve))
    expect(s3.objects.size).toBe(0)
    stream.end()
    await publish()
    const stored = s3.objects.get('bucket/large')
    expect(stored?.length).toBe(1_200 * 65_536)
    expect(stored?.subarray(-65_536)).toEqual(content)
  })
})

test('a backup through a pipe restores through a pipe', async () => {
  const env = await givenInstance()
  const elsewhere = await givenEmpty()
  const cli = join(ROOT, 'apps/server/src/commands/cli.ts')
  const run = (name: string, given: object, input?: Buffer) =>
    spawnSync(process.execPath, [cli, name, '-'], { env: { ...process.env, ...given }, input })
  const backup = run('backup', env)
  expect([backup.status, backup.stderr.toString()]).toEqual([0, expect.stringContaining('standard output: ')])
  const restored = run('restore', elsewhere, backup.stdout)
  expect([restored.status, restored.stderr.toString()]).toEqual([0, ''])
  expect(await programsIn(elsewhere)).toEqual([{ name: 'Kept' }])
})
