import { buildDashboard } from './build-dashboard.mjs'
import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'

/** Retakes the pictures of docs/screenshots from the demo in a browser. */
const tools = prepare({ development: true })
const step = (file) => runStep(tools.bun, [file], { cwd: tools.root })

const problem = buildDashboard(tools)
if (problem) console.error(problem)
process.exitCode =
  problem || (await step('scripts/browser/install-browser.ts')) !== 0 ? 1 : await step('scripts/screenshots/main.ts')
