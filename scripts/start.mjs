import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs'
import { buildSdk, isSdkBuilt } from './build-sdk.mjs'
import { launch } from './launch.mjs'
import { prepare, root } from './prepare.mjs'

// Only a build needs the development dependencies; an image with a finished build does not.
const tools = prepare({ development: !isDashboardBuilt(root) || !isSdkBuilt(root) })
for (const build of [buildDashboard, buildSdk]) {
  const problem = build(tools)
  if (problem) console.error(problem)
}
await launch(tools, ['apps/server/src/main.ts', ...process.argv.slice(2)])
