import { expect, test } from 'bun:test'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../main.ts')

test('a person who follows the production guide upgrades, restores and adds a node without a wrong cent', async () => {
  const rehearsal = Bun.spawn([process.execPath, MAIN], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([
    new Response(rehearsal.stdout).text(),
    new Response(rehearsal.stderr).text(),
  ])
  expect(await rehearsal.exited, stdout + stderr).toBe(0)
  expect(stdout).toContain('The rehearsal passed.')
}, 1_800_000)
