import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { waitForTurn } from './wait-for-turn.mjs'

const SOURCES = ['packages/sdk', 'LICENSE', 'package.json']

const dist = (root) => join(root, 'packages/sdk/dist')
const stampFile = (root) => join(dist(root), '.stamp')

export const isSdkBuilt = (root) =>
  existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === fingerprint(root, SOURCES)

/**
 * Builds the SDK's tarball, which the service serves as /sdk.tgz, if its sources changed since the last time. Returns an error
 * sentence on failure.
 */
export const buildSdk = ({ root, bun }) => {
  if (isSdkBuilt(root)) return null
  const release = waitForTurn(root)
  try {
    if (isSdkBuilt(root)) return null // another command built it meanwhile
    const print = fingerprint(root, SOURCES)
    const folder = dist(root)
    const built = spawnSync(bun, ['packages/sdk/build.ts'], { cwd: root, encoding: 'utf8' })
    if (built.status !== 0) return `The SDK could not be built:\n${built.stderr}`
    const tarballs = mkdtempSync(join(tmpdir(), 'tributary-sdk-'))
    const packed = spawnSync('npm', ['pack', folder, '--pack-destination', tarballs], { encoding: 'utf8' })
    const [tarball] = readdirSync(tarballs)
    if (packed.status !== 0 || !tarball) return `The SDK could not be packed:\n${packed.stderr}`
    copyFileSync(join(tarballs, tarball), join(folder, 'sdk.tgz'))
    rmSync(tarballs, { recursive: true })
    writeFileSync(stampFile(root), print)
    return null
  } finally {
    release()
  }
}
