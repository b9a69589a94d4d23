import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs'
import { launch } from './launch.mjs'
import { prepare, root } from './prepare.mjs'

// Only a build needs the tools of development; an image that brings a finished one does without.
const tools = prepare({ development: !isDashboardBuilt(root) })
const problem = buildDashboard(tools)
if (problem) console.error(problem)
await launch(tools, ['apps/server/src/main.ts'])
