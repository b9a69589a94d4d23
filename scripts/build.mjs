import { buildDashboard } from './build-dashboard.mjs'
import { typeCheck } from './checks.mjs'
import { prepare } from './prepare.mjs'

// The server runs from its sources; only browser files are built.
const tools = prepare({ development: true })
const problem = buildDashboard(tools)
if (problem) console.error(problem)
process.exitCode = problem ? 1 : await typeCheck(tools)
