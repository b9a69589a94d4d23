import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitForTurn } from './wait-for-turn.mjs'

/** The sources of the built files. */
const SOURCES = ['apps/dashboard', 'packages/contract/src', 'package-lock.json']
const EXCLUDED = /(^|\/)(dist|test|node_modules)(\/|$)|README\.md$/

const stampFile = (root) => join(root, 'apps/dashboard/dist/.stamp')

export const isDashboardBuilt = (root) =>
  existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === fingerprint(root)

/** Builds the dashboard if its sources changed since the last time. Returns an error sentence on failure. */
export const buildDashboard = ({ root }) => {
  if (isDashboardBuilt(root)) return null
  const release = waitForTurn(root)
  try {
    if (isDashboardBuilt(root)) return null // another command built it meanwhile
    console.error('Building the dashboard, because its sources changed …')
    const print = fingerprint(root)
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    // Never to standard output: `npm test` guarantees its last line.
    const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(root, 'apps/dashboard'),
      // A test runner sets `test`, which would bundle React's development build: slower, and half as large again.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) return `The dashboard could not be built:\n${stderr}`
    writeFileSync(stampFile(root), print)
    return null
  } finally {
    release()
  }
}

const fingerprint = (root) => {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap((source) => filesIn(root, source)))
    hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

const filesIn = (root, path) => {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .filter((name) => !EXCLUDED.test(name.slice(path.length)) && statSync(join(root, name)).isFile())
    .sort()
}
