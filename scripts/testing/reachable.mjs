import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const SOURCE = /\.(tsx?|mjs)$/
const STRING = /'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g

/** A change in any of these can break every test. */
const EVERYTHING = ['package.json', 'package-lock.json', 'bunfig.toml', 'tsconfig.json']

/** The files that differ from a commit, and untracked files. */
export const changedPaths = (root, since) => {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr.trim())
    return stdout.split('\0').filter((path) => path !== '')
  }
  return [...git('diff', '--name-only', '-z', since, '--'), ...git('ls-files', '-z', '--others', '--exclude-standard')]
}

/**
 * The tests that a change can reach. A file reaches its imports, and every file or folder that it names in a string:
 * tests start processes, read documents and open built pages by their paths.
 */
export const testsReaching = ({ root, paths, tests, changed, namers = namersOf(root, paths) }) => {
  if (changed.some((path) => EVERYTHING.includes(path))) return tests
  const reached = new Set(changed)
  const waiting = [...changed, ...changed.flatMap(foldersAbove)]
  while (waiting.length > 0)
    for (const namer of namers.get(waiting.pop()) ?? [])
      if (!reached.has(namer)) {
        reached.add(namer)
        waiting.push(namer)
      }
  return tests.filter((test) => reached.has(test))
}

/** For each file and folder, the sources that name it. */
export const namersOf = (root, paths) => {
  const namers = new Map()
  for (const path of paths.filter((name) => SOURCE.test(name)))
    for (const named of namedIn({ root, path })) namers.set(named, [...(namers.get(named) ?? []), path])
  return namers
}

const foldersAbove = (path) => {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

const PACKAGE = /^@tributary\/(contract|sdk|tracker)(\/.+)?$/

/** The files and folders of the project that a source names, relative to itself or to the root. */
const namedIn = ({ root, path }) => {
  const names = [...readFileSync(join(root, path), 'utf8').matchAll(STRING)].map(
    ([, one, two, three]) => one ?? two ?? three,
  )
  return new Set(names.map((name) => placeOf({ root, from: path, name })).filter((place) => place !== undefined))
}

const placeOf = ({ root, from, name: written }) => {
  const inPackage = written.match(PACKAGE)
  if (inPackage) return placeInPackage(root, inPackage)
  if (written.startsWith('~/')) return existing(root, `apps/dashboard/src/${written.slice(2)}`)
  // `${import.meta.dir}/../x` and `${ROOT}/x`
  const name = written.replace(/^\$\{[^}]*\}\//, '')
  const isFile = name === written ? /^([\w.-]+\/[\w./-]+|\w+\.md)$/ : /^[\w.-]+(\/[\w./-]+|\.\w+)$/
  if (!isFile.test(name)) return undefined
  return existing(root, relative(root, resolve(root, dirname(from), name))) ?? existing(root, name)
}

/** A computed file name may be any file of the package. */
const placeInPackage = (root, [, name, inside = '']) => {
  if (inside.includes('${')) return `packages/${name}`
  return existing(root, `packages/${name}${inside}`) ?? `packages/${name}/src`
}

const existing = (root, path) => {
  const isOurs = path !== '' && !path.startsWith('..') && !path.includes('node_modules')
  return isOurs && existsSync(join(root, path)) ? path.replace(/\/$/, '') : undefined
}
