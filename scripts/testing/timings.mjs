import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Milliseconds per file in bun's `--timings` format: those of this machine, else the committed ones of the short form. */
const KEPT = 'scripts/testing/timings.json'
const OWN = 'node_modules/.cache/tributary/test-timings.json'
const OWN_LONG = 'node_modules/.cache/tributary/test-timings-long.json'

const read = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).files
  } catch {
    return {}
  }
}

const write = (path, files) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
}

/** A new file starts early: one that turns out to be slow would keep a single core busy at the end. */
const UNKNOWN_MS = 15_000

/** A file that imports these has a long form, which takes at least as long as the short one, and often much longer. */
const LONG_FORM = /\/(size|nightly|orders|looks)\.ts'/

const hasLongForm = (root, file) => {
  try {
    return LONG_FORM.test(readFileSync(join(root, file), 'utf8'))
  } catch {
    return false
  }
}

const readKept = (root, long) => {
  const kept = read(join(root, KEPT))
  if (!long) return kept
  const longer = Object.entries(kept).filter(([file]) => hasLongForm(root, file))
  return { ...kept, ...Object.fromEntries(longer.map(([file, ms]) => [file, Math.max(ms, UNKNOWN_MS)])) }
}

/** So that the slowest files start first, even on a fresh clone. */
export const readTimings = (root, tests, { long = false } = {}) => {
  const path = join(root, long ? OWN_LONG : OWN)
  const known = { ...readKept(root, long), ...read(path) }
  const unknown = tests.filter((file) => known[file] === undefined).map((file) => [file, UNKNOWN_MS])
  write(path, { ...known, ...Object.fromEntries(unknown) })
  return { path, of: (file) => known[file] ?? 1_000 }
}
