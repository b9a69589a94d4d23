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
