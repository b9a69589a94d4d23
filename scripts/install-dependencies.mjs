import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { waitForTurn } from './wait-for-turn.mjs'

/**
 * Makes node_modules match the lock file; prints only when there is something to do. Returns an error sentence on
 * failure.
 */
export const installDependencies = ({ root, development }) => {
  if (isInstalled(root, development)) return null
  const release = waitForTurn(root)
  try {
    if (isInstalled(root, development)) return null // another command installed them meanwhile
    console.error('Installing dependencies (only once) …')
    if (npm(root, 'ci', 'ignore') !== 0) {
      // A package.json edited without its lock file makes `npm ci` fail; `npm install` fixes the lock, and repeats the
      // message if something else is wrong.
      if (npm(root, 'install', 2) !== 0) return "The dependencies could not be installed: see npm's message above."
    }
    writeFileSync(stampFile(root), fingerprint(root))
    return null
  } finally {
    release()
  }
}

/** Either we installed exactly this, or npm was run manually and its recorded tree matches the lock. */
const isInstalled = (root, development) => {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const stamp = stampFile(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root)) return true
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readJson(record).packages
  const packagesFit = Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules') || (entry.dev && !development) || !fitsMachine(entry)) return true
    return installed[path]?.version === entry.version
  })
  return packagesFit && workspaces(root).every((folder) => manifestFits(join(root, folder), wanted[folder]))
}

const manifestFits = (folder, entry) => {
  const manifest = readJson(join(folder, 'package.json'))
  const sorted = (dependencies) => JSON.stringify(Object.entries(dependencies ?? {}).sort())
  return ['dependencies', 'devDependencies'].every((kind) => sorted(manifest[kind]) === sorted(entry?.[kind]))
}

/** A folder copied from another kind of machine has the wrong binaries although all versions agree. */
const fitsMachine = ({ os, cpu, libc }) =>
  (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && (!libc || libc.includes(thisLibc()))

const thisLibc = () => {
  process.report.excludeNetwork = true // or it resolves host names
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

const stampFile = (root) => join(root, 'node_modules', '.tributary-installed')

const fingerprint = (root) => {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const folder of workspaces(root)) hash.update(folder).update(readFileSync(join(root, folder, 'package.json')))
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex')
}

/** The root and every folder that matches its workspace patterns (`apps/*`). */
const workspaces = (root) => {
  const folders = readJson(join(root, 'package.json')).workspaces.flatMap((pattern) => {
    const parent = pattern.replace('/*', '')
    if (parent === pattern) return [pattern]
    return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : []
  })
  return ['', ...folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).sort()]
}

/** Never to standard output: `npm test` guarantees its last line. */
const npm = (root, command, output) => {
  const cli = process.env.npm_execpath
  const [program, first] = cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []]
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const stdio = ['ignore', output, output]
  return spawnSync(program, [...first, command, '--include=dev', ...quiet], { cwd: root, stdio }).status
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
