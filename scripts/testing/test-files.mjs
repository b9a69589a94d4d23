import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Every tracked or trackable file, which excludes built and installed files. */
export const sourcePaths = (root) => {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

const TEST = /\.test\.(tsx?|mjs)$/
const LONG = /\.long\.test\.ts$/

/** The files of a run. A file requested by its path or a part of it runs in any form. */
export const testFiles = (paths, { patterns, long }) => {
  const tests = paths.filter((path) => TEST.test(path))
  if (patterns.length === 0) return tests.filter((path) => long || !LONG.test(path))
  const wanted = patterns.map((pattern) => pattern.replace(/^\.\//, ''))
  const elsewhere = wanted.filter((pattern) => isAbsolute(pattern) && TEST.test(pattern) && existsSync(pattern))
  return [...tests.filter((path) => wanted.some((pattern) => path.includes(pattern))), ...elsewhere]
}
