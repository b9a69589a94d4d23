import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { AFF_PARAMETER, CLICK_COOKIE, TRACKER_FILE } from '@tributary/contract'
import { bundle } from '../build/bundle.ts'

const FOLDER = join(import.meta.dir, '..')
const script = await Bun.file(join(FOLDER, TRACKER_FILE)).text()

/** Returns the codes that are not valid ES2018, using the parser bundled with Node. */
const newerThanEs2018 = async (codes: string[]) => {
  const program = `
    const { parse } = require('internal/deps/acorn/acorn/dist/acorn')
    const isNewer = (code) => {
      try {
        parse(code, { ecmaVersion: 2018, sourceType: 'script' })
      } catch {
        return true
      }
    }
    console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8')).filter(isNewer)))`
  const node = Bun.spawn(['node', '--expose-internals', '-e', program], {
    stdin: new TextEncoder().encode(JSON.stringify(codes)),
  })
  return JSON.parse(await new Response(node.stdout).text())
}

describe('service-tracker.js', () => {
  test('is up to date with its sources (if not, run npm run generate)', async () => {
    expect(await bundle('script.ts')).toBe(script)
  })

  test('is at most 2,000 bytes with Brotli', () => {
    expect(brotliCompressSync(script).length).toBeLessThanOrEqual(2_000)
  })

  test('has no syntax newer than ES2018', async () => {
    const newer = ['try {} catch {}', 'a?.b', 'a ?? b', 'a ||= b', '1n']
    expect(await newerThanEs2018([script, ...newer])).toEqual(newer)
  })

  test('contains the names of the contract and nothing unexpected', () => {
    for (const name of [AFF_PARAMETER, CLICK_COOKIE]) expect(script).toContain(name)
    expect(script).not.toMatch(/\b(zod|eval|innerHTML|import|require)\b|new Function|document\.write/)
  })
})

test('the npm package is a working module with types, and contains the script for self-hosting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tracker-'))
  const run = async (command: string[], cwd: string) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
    expect({ command, exitCode, stderr: exitCode === 0 ? '' : `${stderr}${stdout}` }).toEqual({
      command,
      exitCode: 0,
      stderr: '',
    })
    return stdout.toString()
  }
  await run(['npm', 'pack', '--pack-destination', folder], FOLDER)
  const installed = join(folder, 'node_modules/@tributary/tracker')
  await run(['mkdir', '-p', installed], folder)
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  await run(['tar', 'xzf', tarball, '-C', installed, '--strip-components=1'], folder)
  expect(existsSync(join(installed, 'src'))).toBe(false)
  expect(await Bun.file(join(installed, TRACKER_FILE)).text()).toBe(script)

  // Importing it on a server, where there is no page, must do no harm.
  const use = `import { startTracker } from '@tributary/tracker'
console.log(typeof startTracker({ programId: 1, apiBase: 'https://track.example.com' }))`
  await Bun.write(join(folder, 'use.mjs'), use)
  expect(await run(['node', 'use.mjs'], folder)).toBe('undefined\n')

  const typed = `import { type Service, startTracker } from '@tributary/tracker'
const service: Service | undefined = startTracker({ programId: 1, apiBase: 'https://track.example.com' })
export const id: string | null | undefined = service?.getClickId()
window.service?.signup('user_1').then((answer) => answer?.provisional)
window.serviceQueue?.push(['ready', (clickId: string | null) => clickId])
// @ts-expect-error the browser cannot send sales
service?.sale()`
  await Bun.write(join(folder, 'use.ts'), typed)
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', 'use.ts']
  await run(['node', join(FOLDER, '../../node_modules/typescript/bin/tsc'), ...flags], folder)
  rmSync(folder, { recursive: true, force: true })
})
