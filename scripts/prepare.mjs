import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDependencies } from './install-dependencies.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Every command starts here, so that a fresh clone needs only Node and npm. Takes milliseconds when nothing changed.
 */
export const prepare = ({ development }) => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  // Required by the dashboard build.
  if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
    fail(`Tributary needs Node 20.19+ or 22.12+ (not 21), and this is Node ${process.versions.node}.`)
  }
  const problem = installDependencies({ root, development })
  if (problem) fail(problem)
  return { root, bun: findBun() }
}

/** npm may be configured to run no install scripts; Bun's script installs its binary. */
const findBun = () => {
  const bun = join(root, 'node_modules', 'bun', 'bin', 'bun.exe')
  if (runs(bun)) return bun
  spawnSync(process.execPath, [join(root, 'node_modules', 'bun', 'install.js')], {
    cwd: join(root, 'node_modules', 'bun'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (runs(bun)) return bun
  return fail(`Bun does not run on this machine (${process.platform}-${process.arch}): see ${dirname(bun)}/README.txt.`)
}

const runs = (bun) => existsSync(bun) && spawnSync(bun, ['--version'], { stdio: 'ignore' }).status === 0

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}
