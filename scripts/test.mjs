import { spawn } from 'node:child_process'
import { buildDashboard } from './build-dashboard.mjs'
import { runChecks } from './checks.mjs'
import { prepare } from './prepare.mjs'
import { exitCodeOf, runStep } from './run-step.mjs'

// A start of Postgres, a few hundred requests and a browser fit well on a busy machine too; a hanging test still ends.
const TEST_TIMEOUT_MS = 90_000

/** Rooms whose tests look at pages. To get a browser can take longer than a test may, so it is done before them. */
const BROWSER_ROOMS = ['packages/tracker', 'apps/dashboard', 'examples/']

const browserIsMissing = async ({ root, bun }, args) => {
  if (args.length > 0 && !args.some((arg) => BROWSER_ROOMS.some((room) => arg.includes(room)))) return false
  return (await runStep(bun, ['scripts/browser/install-browser.ts'], { cwd: root })) !== 0
}

/** Two halves that take about as long, side by side: the service's own tests, and whatever is built on the service. */
const HALVES = [['apps/server'], ['apps/dashboard', 'packages', 'examples', 'scripts']]

const runAllTests = async (tools) => {
  const [shown, held] = HALVES.map((rooms, index) => runTests(tools, rooms, { isHeld: index > 0 }))
  const halves = [await shown, await held]
  process.stderr.write(halves[1].output)
  const sum = (name) => halves.reduce((total, half) => total + half[name], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}

/** Runs bun's tests and answers its counts. Everything is shown, at once or, where two would talk at the same time, at the end. */
const runTests = async ({ root, bun }, args, { isHeld = false } = {}) => {
  const env = { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) }
  const tests = spawn(bun, ['test', '--timeout', String(TEST_TIMEOUT_MS), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', isHeld ? 'pipe' : 'inherit', 'pipe'],
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal))
  let output = ''
  let report = ''
  tests.stdout?.on('data', (chunk) => {
    output += chunk
  })
  tests.stderr.on('data', (chunk) => {
    if (isHeld) output += chunk
    else process.stderr.write(chunk)
    report = (report + chunk).slice(-10_000)
  })
  const code = await exitCodeOf(tests)
  const passed = count(report, 'pass')
  const failed = count(report, 'fail')
  // A crash of the runner, or a file that cannot be loaded, is a failure although bun counts no test for it.
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, output }
}

const count = (report, word) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bun colours its summary with escape sequences
  const plain = report.replace(/\u001b\[[\d;]*m/g, '')
  return Number([...plain.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
}

const tools = prepare({ development: true })
const args = process.argv.slice(2)
const problem = buildDashboard(tools)
if (problem) console.error(problem)
// With arguments somebody works on one test and wants its answer soon.
const failedChecks = args.length === 0 ? await runChecks(tools) : 0
const missing = (await browserIsMissing(tools, args)) ? 1 : 0
const { passed, failed: failedTests } = args.length === 0 ? await runAllTests(tools) : await runTests(tools, args)
const failed = failedTests + missing
console.log(`${passed} passed, ${failed + failedChecks} failed`)
process.exitCode = failed + failedChecks === 0 ? 0 : 1
