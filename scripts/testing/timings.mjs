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

/** So that the slowest files start first, even on a fresh clone. */
export const readTimings = (root) => {
  const files = { ...read(join(root, KEPT)), ...read(join(root, OWN)) }
  write(join(root, OWN), files)
  return { path: join(root, OWN), of: (file) => files[file] ?? 1_000 }
}
