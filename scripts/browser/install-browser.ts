import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findBrowser } from './find-browser.ts'

const MINUTES = 60_000

/**
 * Run before the tests by scripts/test.mjs, since a download takes longer than a test may. Exits with 1 and one
 * sentence.
 */
const install = () => {
  if (findBrowser()) return true
  if (process.env.CHROME_PATH) return false
  console.error('Looking for a browser (only once) …')
  return [download, installPackage].some((attempt) => attempt() && findBrowser() !== null)
}

const download = () => {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  // Fail fast if nothing can be downloaded.
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000', ...process.env }
  return run('node', [cli, 'install', 'chromium'], env)
}

const installPackage = () => {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['update'], env)
  const added = (name: string) => run('apt-get', ['install', '-y', '--no-install-recommends', name], env)
  if (!added('chromium')) return false
  // Optional: without it the tests take longer.
  added('chromium-headless-shell')
  return true
}

/** Never to standard output: `npm test` guarantees its last line. */
const run = (program: string, args: string[], env: NodeJS.ProcessEnv) =>
  spawnSync(program, args, { env, stdio: ['ignore', 2, 2], timeout: 10 * MINUTES }).status === 0

if (!install()) {
  console.error(
    process.env.CHROME_PATH
      ? `CHROME_PATH names a browser that does not run: ${process.env.CHROME_PATH}.`
      : 'The tests need Chrome or Chromium: install one, or set CHROME_PATH to its location.',
  )
  process.exit(1)
}
