import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testsReaching } from './reachable.mjs'
import { sourcePaths } from './test-files.mjs'

/** The files of the last whole run of `npm test` that passed, with a hash of the sources. */
const PASSED = 'node_modules/.cache/tributary/passed.json'
/** A test that cannot reach it has no long form. */
const SIZE = 'apps/server/test/support/size.ts'

const hashOf = (root, paths) => {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

/** Remembers that the short form of these files has passed. */
export const rememberPassed = (root, files, paths = sourcePaths(root)) => {
  mkdirSync(dirname(join(root, PASSED)), { recursive: true })
  writeFileSync(join(root, PASSED), JSON.stringify({ sources: hashOf(root, paths), files }))
}

/** The files that the long form has to run: without those that have no long form and passed with exactly these sources. */
export const withoutRepeated = (root, files, paths = sourcePaths(root)) => {
  const passed = readPassed(root)
  if (passed.sources !== hashOf(root, paths)) return files
  const sized = new Set(testsReaching({ root, paths, tests: files, changed: [SIZE] }))
  return files.filter((file) => sized.has(file) || !passed.files.includes(file))
}

const readPassed = (root) => {
  try {
    return JSON.parse(readFileSync(join(root, PASSED), 'utf8'))
  } catch {
    return { sources: '', files: [] }
  }
}
