import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { OWN_VERSION } from '../../apps/server/src/database/schema/own-migrations.ts'
import { ROOT, run, type Stage } from './stage.ts'

type Tools = { root: string; bun: string }
const { packTo }: { packTo: (folder: string, tools: Tools) => string[] } = await import(
  join(ROOT, 'scripts/package/pack.mjs')
)
const { setVersion, currentVersion }: Record<'setVersion' | 'currentVersion', (root: string, to?: string) => string> =
  await import(join(ROOT, 'scripts/release/versions.mjs'))

/** What expanding migrations do. Each later version has one more of them, beside which the version before it may run. */
const MIGRATIONS = [
  {
    name: `9998-rehearsed-channel.beside-${OWN_VERSION}`,
    text: "ALTER TABLE sales ADD COLUMN rehearsed_channel text NOT NULL DEFAULT 'web';\n",
  },
  {
    name: '9999-rehearsed-remarks.beside-9998',
    text: 'CREATE TABLE rehearsed_remarks (program_id integer NOT NULL, sale_id bigint NOT NULL);\n',
  },
]

const nextPatch = (version: string) => version.replace(/\d+$/, (patch) => String(Number(patch) + 1))

export const VERSION = currentVersion(ROOT)
export const NEXT_VERSION = nextPatch(VERSION)
export const LAST_VERSION = nextPatch(NEXT_VERSION)

/** Builds the tarballs of this version and the next two in `folder`, unless they are there from an earlier rehearsal. */
export const buildPackages = (stage: Stage, folder: string) => {
  mkdirSync(folder, { recursive: true })
  const build = (version: string, makeSources: () => string) => {
    const find = () => readdirSync(folder).find((name) => name.includes('server') && name.endsWith(`-${version}.tgz`))
    if (find()) stage.print(`${find()} is there from an earlier rehearsal`)
    else {
      packTo(folder, { root: makeSources(), bun: process.execPath })
      stage.print(`packed ${find()}`)
    }
    return join(folder, find() ?? '')
  }
  return {
    current: build(VERSION, () => ROOT),
    next: build(NEXT_VERSION, () => copySources(stage, NEXT_VERSION, MIGRATIONS.slice(0, 1))),
    last: build(LAST_VERSION, () => copySources(stage, LAST_VERSION, MIGRATIONS)),
  }
}

/** A copy of the sources as a later release: its version everywhere, and more migrations. */
const copySources = (stage: Stage, version: string, migrations: typeof MIGRATIONS) => {
  const copy = stage.makeFolder(`sources-${version}`)
  const skipped = new Set(['.git', 'node_modules', 'dist', 'data', 'results'])
  for (const name of readdirSync(ROOT))
    if (!skipped.has(name))
      cpSync(join(ROOT, name), join(copy, name), {
        recursive: true,
        filter: (path) => !skipped.has(basename(path)),
      })
  linkModules(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const app of readdirSync(join(ROOT, 'apps')).map((name) => `apps/${name}/node_modules`))
    if (existsSync(join(ROOT, app))) symlinkSync(join(ROOT, app), join(copy, app))
  setVersion(copy, version)
  for (const { name, text } of migrations) writeFileSync(join(copy, `apps/server/migrations/${name}.sql`), text)
  return copy
}

/** Links to the installed packages; those of this repository lead to the copy. */
const linkModules = (from: string, to: string) => {
  mkdirSync(join(to, '@tributary'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@tributary') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@tributary')))
    symlinkSync(readlinkSync(join(from, '@tributary', name)), join(to, '@tributary', name))
}

/** As section 2 of the guide says. */
export const install = async (prefix: string, tarball: string) => {
  mkdirSync(prefix, { recursive: true })
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await run(['npm', 'install', '--prefix', prefix, ...quiet, tarball], { cwd: prefix })
  const version = (await run([join(prefix, 'node_modules/.bin/tributary'), '--version'], { cwd: prefix })).trim()
  if (!basename(tarball).endsWith(`-${version}.tgz`)) throw new Error(`Installed ${tarball}, but it says ${version}.`)
}

/** The command of the systemd unit, with another folder. */
export const startCommand = (prefix: string) => {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/tributary.service'), 'utf8')
  const line = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? ''
  return line.replaceAll('/opt/tributary', prefix).split(' ')
}
