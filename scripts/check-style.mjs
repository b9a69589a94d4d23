import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sourcePaths } from './testing/test-files.mjs'

/** A hash for each file that has passed, of its path, its content and the rules. */
const PASSED = 'node_modules/.cache/tributary/style.json'

/** What decides the rules, with Biome's version. */
const RULES = ['biome.json', 'package-lock.json']

/** Beyond this, naming the files saves nothing. */
const MOST_NAMED = 500

/**
 * Checks only files that changed since they passed: our rules look at one file at a time. `check` gets the files, or none
 * for all of them, and returns an exit code.
 */
export const checkStyle = async ({ root }, check) => {
  const passed = new Set(readPassed(root))
  const stamps = stampsOf(root)
  const unchecked = [...stamps.keys()].filter((path) => !passed.has(stamps.get(path)))
  if (unchecked.length === 0) return 0
  const code = await check(unchecked.length > MOST_NAMED ? [] : unchecked)
  if (code === 0) writePassed(root, [...stamps.values()])
  return code
}

const stampsOf = (root) => {
  const stamp = (rules, path) =>
    createHash('sha256')
      .update(`${rules}\n${path}\n`)
      .update(readFileSync(join(root, path)))
      .digest('base64')
  const rules = RULES.reduce(stamp, '')
  return new Map(sourcePaths(root).map((path) => [path, stamp(rules, path)]))
}

const readPassed = (root) => {
  try {
    return JSON.parse(readFileSync(join(root, PASSED), 'utf8'))
  } catch {
    return []
  }
}

const writePassed = (root, stamps) => {
  const path = join(root, PASSED)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(stamps))
}
