import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkDependencies } from './check-dependencies.mjs'
import { generate } from './generated-files.mjs'
import { runStep } from './run-step.mjs'

/** Runs every check, even after one failed, so that one run shows everything. Returns the number of failures. */
export const runChecks = async (tools) => {
  let failures = 0
  for (const [name, check] of [
    ['types', () => typeCheck(tools)],
    ['style', () => biome(tools, ['check'])],
    ['dependencies', () => checkDependencies(tools)],
    ['generated files', () => generate(tools, { onlyCompare: true })],
    ['API description', () => lintApiDescription(tools)],
  ]) {
    const startedAt = performance.now()
    const passed = (await check()) === 0
    console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    if (!passed) failures += 1
  }
  return failures
}

/**
 * The dashboard has a modern browser, the tracker one of 2018, and the rest none: each is checked with its own
 * libraries.
 */
const PROJECTS = ['.', 'apps/dashboard', 'packages/tracker']

/** In parallel, each in one thread: the threads of one check do half of their work twice. */
export const typeCheck = async ({ root }) => {
  const check = (project) =>
    runStep(process.execPath, [tool(root, 'typescript/bin/tsc'), '-p', project, '--singleThreaded'], { cwd: root })
  return Math.max(...(await Promise.all(PROJECTS.map(check))))
}

export const biome = ({ root }, args) =>
  runStep(process.execPath, [tool(root, '@biomejs/biome/bin/biome'), ...args, '--error-on-warnings'], { cwd: root })

/** Redocly's recommended rules, where a warning is an error. Prints only problems. */
const lintApiDescription = ({ root }) => {
  const options = ['lint', 'docs/openapi.json', '--extends=recommended-strict', '--format=stylish']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const cli = tool(root, '@redocly/cli/bin/cli.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...options], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) console.error(stdout, stderr)
  return status ?? 1
}

const tool = (root, path) => join(root, 'node_modules', path)
