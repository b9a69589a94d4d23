import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs'
import { buildSdk, isSdkBuilt } from './build-sdk.mjs'
import { prepare, root } from './prepare.mjs'

/** Installs what a command needs, and builds what the service serves. */
export const prepareClone = (args) => {
  if (args[0] !== 'start' || args.includes('--help')) return prepare({ development: false })
  // Only a build needs the development dependencies; an image with a finished build does not.
  const tools = prepare({ development: !isDashboardBuilt(root) || !isSdkBuilt(root) })
  for (const build of [buildDashboard, buildSdk]) {
    const problem = build(tools)
    if (problem) console.error(problem)
  }
  return tools
}
