import { buildDashboard } from './build-dashboard.mjs'
import { buildSdk } from './build-sdk.mjs'
import { typeCheck } from './checks.mjs'
import { prepare } from './prepare.mjs'

// In a clone the server runs from its sources; only the dashboard and the SDK are built.
const tools = prepare({ development: true })
const problems = [buildDashboard, buildSdk].map((build) => build(tools)).filter(Boolean)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : await typeCheck(tools)
