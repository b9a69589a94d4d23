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

const tool = (root, path) => join(root, 'node_modules', path)
