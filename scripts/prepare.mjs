import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBun } from './find-bun.mjs'
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
  return { root, bun: requireBun() }
}

const requireBun = () => {
  const folder = join(root, 'node_modules', 'bun')
  const bun = findBun(folder)
  return (
    bun ?? fail(`Bun does not run on this machine (${process.platform}-${process.arch}): see ${folder}/bin/README.txt.`)
  )
}

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}
