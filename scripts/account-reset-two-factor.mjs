import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'

const { root, bun } = prepare({ development: false })
const args = ['apps/server/src/commands/reset-two-factor.ts', ...process.argv.slice(2)]
process.exitCode = await runStep(bun, args, { cwd: root })
