import { afterAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLongRun } from '../../../apps/server/test/support/size.ts'
import { findBrowser } from '../find-browser.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A machine with only these programs and no network access. */
const givenMachine = (programs: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-machine-'))
  folders.push(folder)
  for (const [name, script] of Object.entries({ node: 'exit 1', ...programs })) {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return { folder, env: { PATH: folder, PLAYWRIGHT_BROWSERS_PATH: folder } }
}

const install = (env: Record<string, string>) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, '../install-browser.ts')],
    {
      env,
    },
  )
  // `npm test` guarantees its last line, so nothing of this goes to standard output.
  expect(stdout.toString()).toBe('')
  return { exitCode, lastLine: stderr.toString().trim().split('\n').at(-1) ?? '' }
}

/** On a Mac it is found in its default location, whatever the PATH. */
const isElsewhere = findBrowser({ PATH: '' }) !== null
const mayInstallPackages = existsSync('/etc/debian_version') && process.getuid?.() === 0
/** Each starts a process that loads all of Playwright. */
const whenLong = test.skipIf(!isLongRun)
const SENTENCE = 'The tests need Chrome or Chromium: install one, or set CHROME_PATH to its location.'

test('a browser on the PATH is used as it is', () => {
  const { folder, env } = givenMachine({ chromium: 'exit 0' })
  expect(findBrowser(env)).toBe(join(folder, 'chromium'))
})

/** Every test run starts with this. */
whenLong('a browser on the PATH is enough', () => {
  expect(install(givenMachine({ chromium: 'exit 0' }).env)).toEqual({ exitCode: 0, lastLine: '' })
})

test('a file of that name that does not run is not used', () => {
  const { folder, env } = givenMachine({ 'google-chrome': 'exit 1', chromium: 'exit 0' })
  expect(findBrowser(env)).toBe(join(folder, 'chromium'))
})

test('CHROME_PATH is used, or one sentence says that it does not run', () => {
  const { folder, env } = givenMachine({ chromium: 'exit 0', mine: 'exit 0', broken: 'exit 1' })
  expect(findBrowser({ ...env, CHROME_PATH: join(folder, 'mine') })).toBe(join(folder, 'mine'))
  expect(install({ ...env, CHROME_PATH: join(folder, 'broken') })).toEqual({
    exitCode: 1,
    lastLine: `CHROME_PATH names a browser that does not run: ${join(folder, 'broken')}.`,
  })
})

whenLong('Playwright’s download comes first if there is none', () => {
  const download = 'test "$2 $3" = "install chromium" && printf "#!/bin/sh\\n" > chromium && /bin/chmod +x chromium'
  expect(install(givenMachine({ node: download, 'apt-get': 'exit 1' }).env).exitCode).toBe(0)
})

whenLong('Debian’s package comes next if the user may install it', () => {
  const aptGet = 'test "$1" = update || { printf "#!/bin/sh\\n" > chromium; /bin/chmod +x chromium; }'
  const { exitCode } = install(givenMachine({ 'apt-get': aptGet }).env)
  expect(exitCode).toBe(isElsewhere || mayInstallPackages ? 0 : 1)
})

whenLong('without any browser: one clear sentence and a failure', () => {
  const { exitCode, lastLine } = install(givenMachine({ 'apt-get': 'exit 100' }).env)
  expect({ exitCode, lastLine }).toEqual(
    isElsewhere ? { exitCode: 0, lastLine: '' } : { exitCode: 1, lastLine: SENTENCE },
  )
})
