import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs'
import { launch } from './launch.mjs'
import { prepare, root } from './prepare.mjs'

const tools = prepare({ development: !isDashboardBuilt(root) })
const problem = buildDashboard(tools)
if (problem) console.error(problem)
await launch(tools, ['examples/demo/main.ts', ...process.argv.slice(2)])
