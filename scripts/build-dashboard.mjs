import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { waitForTurn } from './wait-for-turn.mjs'

/** The sources of the built files. */
const SOURCES = ['apps/dashboard', 'packages/contract/src', 'package-lock.json']

const print = (root) => fingerprint(root, SOURCES, (path) => path.endsWith('README.md'))

const stampFile = (root) => join(root, 'apps/dashboard/dist/.stamp')

export const isDashboardBuilt = (root) =>
  existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === print(root)

/** Builds the dashboard if its sources changed since the last time. Returns an error sentence on failure. */
export const buildDashboard = ({ root }) => {
  if (isDashboardBuilt(root)) return null
  const release = waitForTurn(root)
  try {
    if (isDashboardBuilt(root)) return null // another command built it meanwhile
    console.error('Building the dashboard, because its sources changed …')
    const sources = print(root)
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    // Never to standard output: `npm test` guarantees its last line.
    const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(root, 'apps/dashboard'),
      // A test runner sets `test`, which would bundle React's development build: slower, and half as large again.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) return `The dashboard could not be built:\n${stderr}`
    writeFileSync(stampFile(root), sources)
    return null
  } finally {
    release()
  }
}
