import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Milliseconds per file in bun's `--timings` format: those of this machine, else the committed ones. */
const KEPT = 'scripts/testing/timings.json'
const OWN = 'node_modules/.cache/tributary/test-timings.json'

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

/** So that the slowest files start first, even on a fresh clone. */
export const readTimings = (root, tests) => {
  const known = { ...read(join(root, KEPT)), ...read(join(root, OWN)) }
  const unknown = tests.filter((file) => known[file] === undefined).map((file) => [file, UNKNOWN_MS])
  write(join(root, OWN), { ...known, ...Object.fromEntries(unknown) })
  return { path: join(root, OWN), of: (file) => known[file] ?? 1_000 }
}
