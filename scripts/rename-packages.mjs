import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_NAMES } from './package-names.mjs'
import { root } from './prepare.mjs'

/** Where each published package's manifest is; its current name is replaced. */
const MANIFESTS = {
  server: 'apps/server/package.json',
  sdk: 'packages/sdk/package.json',
  tracker: 'packages/tracker/package.json',
}

const TEXT = /\.(css|html|json|m?[jt]sx?|md|mjs|service|sh|ya?ml)$|(^|\/)(Dockerfile|run)$/

/** npm pack names a tarball after its package: @scope/name becomes scope-name. */
const tarballName = (name) => name.replace('@', '').replace('/', '-')

const renames = Object.entries(MANIFESTS).flatMap(([key, manifest]) => {
  const { name: from } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
  const to = PACKAGE_NAMES[key]
  if (from === to) return []
  return [
    [from, to],
    [`${tarballName(from)}-`, `${tarballName(to)}-`],
  ]
})

const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
for (const path of stdout.split('\0').filter((name) => TEXT.test(name))) {
  const before = readFileSync(join(root, path), 'utf8')
  const after = renames.reduce((text, [from, to]) => text.replaceAll(from, to), before)
  if (after !== before) writeFileSync(join(root, path), after)
}
console.log(
  renames.length === 0
    ? 'All packages have these names already.'
    : 'Renamed. Run npm install to link the packages again.',
)
