import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packTo } from './package/pack.mjs'
import { prepare } from './prepare.mjs'
import { releaseChangelog } from './release/changelog.mjs'
import { checkUpgradeNotes } from './release/upgrade-notes.mjs'
import { currentVersion, isNewer, setVersion } from './release/versions.mjs'
import { runStep } from './run-step.mjs'

// npm run release -- VERSION: prepares a release; see docs/releases/README.md. Publishes and pushes nothing.
const USAGE = 'Usage: npm run release -- 0.3.0 [--commit]'

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

const tools = prepare({ development: true })
const { root, bun } = tools
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

const [version = '', ...options] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version) || options.some((option) => option !== '--commit')) fail(USAGE)
const current = currentVersion(root)
const kept = join(root, 'docs/releases', version)
if (version !== current && !isNewer(version, current))
  fail(`The version is ${current}. A release needs a higher one. ${USAGE}`)
if (git('tag', '--list', `v${version}`).stdout.trim())
  fail(`The tag v${version} already exists. Choose a higher version.`)
if (git('status', '--porcelain').stdout.trim()) fail('The working tree has changes. Commit or stash them first.')

const problem = checkUpgradeNotes(root, version) ?? releaseChangelog(root, version)
if (problem) fail(problem)
setVersion(root, version)
if (existsSync(kept))
  console.log(`docs/releases/${version} already exists and is written again, because the version has no tag.`)
for (const script of ['packages/contract/src/openapi/write-openapi.ts', 'scripts/release/write-release.ts'])
  if ((await runStep(bun, [script], { cwd: root })) !== 0) fail(`${script} failed: see above.`)

const packages = join(root, 'dist/packages')
rmSync(packages, { recursive: true, force: true })
mkdirSync(packages, { recursive: true })
const tarballs = packTo(packages, tools)

const commands = [
  ['git', 'add', '--all'],
  ['git', 'commit', '--allow-empty', '--message', `release: ${version}`],
  ['git', 'tag', '--annotate', `v${version}`, '--message', `Tributary ${version}`],
]
if (options.includes('--commit')) {
  for (const [program, ...args] of commands)
    if ((await runStep(program, args, { cwd: root })) !== 0) fail(`${program} ${args[0]} failed: see above.`)
}
const remaining = [
  ...(options.includes('--commit') ? [] : ['npm test', ...commands.map((command) => command.map(quoted).join(' '))]),
  `git push origin main v${version}`,
  ...tarballs.map((path) => `npm publish ${path} --access public`),
]
function quoted(word) {
  return /\s/.test(word) ? `'${word}'` : word
}
console.log(`Release ${version} is ready. Next:\n${remaining.map((line) => `  ${line}`).join('\n')}`)
