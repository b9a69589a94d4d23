import { join } from 'node:path'
import { checkDependencies } from './check-dependencies.mjs'
import { checkStyle } from './check-style.mjs'
import { generate } from './generated-files.mjs'
import { readStep, runStep } from './run-step.mjs'

/**
 * Runs every check, even after one failed, so that one run shows everything. Returns the names of the checks that failed.
 * The types take as long as all others together, most of which use one core.
 */
export const runChecks = async (tools) => {
  const failures = await Promise.all([
    runInTurn([['types', () => typeCheck(tools)]]),
    runInTurn([
      ['style', () => checkStyle(tools, (files) => biome(tools, ['check', ...named(files)]))],
      ['dependencies', () => checkDependencies(tools)],
      ['generated files', () => generate(tools, { onlyCompare: true })],
      ['API description', () => lintApiDescription(tools)],
    ]),
  ])
  return failures.flat()
}

const runInTurn = async (checks) => {
  const failed = []
  for (const [name, check] of checks) {
    const startedAt = performance.now()
    const passed = (await check().catch(printed)) === 0
    console.log(`${passed ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    if (!passed) failed.push(name)
  }
  return failed
}

const printed = (error) => {
  console.error(error)
  return 1
}

/**
 * The dashboard has a modern browser, the tracker one of 2018, and the rest none: each is checked with its own
 * libraries.
 */
const PROJECTS = ['.', 'apps/dashboard', 'packages/tracker']

/**
 * In parallel, each in one thread: the threads of one check do half of their work twice. Only files that changes since the
 * last check can reach are checked again.
 */
export const typeCheck = async ({ root }) => {
  const check = (project) => {
    const known = `node_modules/.cache/tributary/types/${project === '.' ? 'root' : project}.tsbuildinfo`
    const options = ['-p', project, '--singleThreaded', '--incremental', '--tsBuildInfoFile', known]
    return runStep(process.execPath, [tool(root, 'typescript/bin/tsc'), ...options], { cwd: root })
  }
  return Math.max(...(await Promise.all(PROJECTS.map(check))))
}

export const biome = ({ root }, args) =>
  runStep(process.execPath, [tool(root, '@biomejs/biome/bin/biome'), ...args, '--error-on-warnings'], { cwd: root })

/** Biome does not know every file. */
const named = (files) =>
  files.length === 0 ? [] : ['--no-errors-on-unmatched', '--files-ignore-unknown=true', ...files]

/** Redocly's recommended rules, where a warning is an error. Prints only problems. */
const lintApiDescription = async ({ root }) => {
  const options = ['lint', 'docs/openapi.json', '--extends=recommended-strict', '--format=stylish']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const cli = tool(root, '@redocly/cli/bin/cli.js')
  const { status, stdout, stderr } = await readStep(process.execPath, [cli, ...options], { cwd: root, env })
  if (status !== 0) console.error(stdout, stderr)
  return status
}

const tool = (root, path) => join(root, 'node_modules', path)
