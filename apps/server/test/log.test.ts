import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'

const FULL = '/dev/full'

const LOGGING = `
  import { createLog } from '${import.meta.dir}/../src/log.ts'
  const log = createLog('info')
  createLog('info')
  for (let line = 0; line < 50; line++) log.info({ line }, 'x'.repeat(2_000))
  setTimeout(() => console.error('still here'), 200)`

test.if(existsSync(FULL))('a full disk stops the log and nothing else', async () => {
  const child = Bun.spawn([process.execPath, '-e', LOGGING], { stdout: Bun.file(FULL), stderr: 'pipe' })
  expect(await new Response(child.stderr).text()).toBe('still here\n')
  expect(await child.exited).toBe(0)
})

const FAILING = `
  import { refusalOf } from '${import.meta.dir}/../src/http/errors.ts'
  import { createLog, flushLimited } from '${import.meta.dir}/../src/log.ts'
  const log = createLog('info')
  for (let call = 0; call < 5_000; call++) {
    refusalOf(Object.assign(new Error('no connection ' + call), { code: 'ECONNREFUSED' }), { log, requestId: 'r' + call })
    refusalOf(new TypeError('a bug with ' + call), { log, requestId: 'r' + call })
  }
  flushLimited(log)`

test('an unreachable database and a bug are logged once a second, with a count and an example', async () => {
  const child = Bun.spawn([process.execPath, '-e', FAILING], { stdout: 'pipe' })
  const lines = (await new Response(child.stdout).text()).trim().split('\n')
  const counts = new Map<string, number>()
  for (const { msg, count = 1 } of lines.map((line) => JSON.parse(line)))
    counts.set(msg, (counts.get(msg) ?? 0) + count)
  expect(Object.fromEntries(counts)).toEqual({ 'database unavailable': 5_000, 'unexpected error': 5_000 })
  // Two per second and kind, on a machine that takes ten seconds.
  expect(lines.length).toBeLessThan(40)
})
