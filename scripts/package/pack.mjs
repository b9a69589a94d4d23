import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboard } from '../build-dashboard.mjs'
import { buildSdk } from '../build-sdk.mjs'
import { PACKAGE_NAMES } from '../package-names.mjs'

/** Builds the tarball of every published package in `folder`. Returns their paths. Throws if a build fails. */
export const packTo = (folder, tools) => {
  const { root, bun } = tools
  for (const build of [buildDashboard, buildSdk]) {
    const problem = build(tools)
    if (problem) throw new Error(problem)
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // The same bytes that the service serves.
  copyFileSync(join(root, 'packages/sdk/dist/sdk.tgz'), join(folder, tarballName(PACKAGE_NAMES.sdk, version)))
  run(root, bun, ['scripts/package/build-server.ts', join(root, 'dist/server')])
  run(root, 'npm', ['pack', join(root, 'dist/server'), '--pack-destination', folder])
  const path = `${join(root, 'node_modules/bun/bin')}:${process.env.PATH}`
  run(join(root, 'packages/tracker'), 'npm', ['pack', '--pack-destination', folder], { ...process.env, PATH: path })
  return readdirSync(folder).map((name) => join(folder, name))
}

const tarballName = (name, version) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

const run = (cwd, program, args, env = process.env) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed:\n${stdout}${stderr}`)
}
