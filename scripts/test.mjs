import { buildDashboard } from './build-dashboard.mjs'
import { runChecks } from './checks.mjs'
import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'
import { runAllTests, runTests } from './testing/run-tests.mjs'

/** Rooms whose tests look at pages. To get a browser can take longer than a test may, so it is done before them. */
const BROWSER_ROOMS = ['packages/tracker', 'apps/dashboard', 'examples/']

const browserIsMissing = async ({ root, bun }, args) => {
  if (args.length > 0 && !args.some((arg) => BROWSER_ROOMS.some((room) => arg.includes(room)))) return false
  return (await runStep(bun, ['scripts/browser/install-browser.ts'], { cwd: root })) !== 0
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
