import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'

const { root, bun } = prepare({ development: false })
const args = ['apps/server/src/commands/cli.ts', 'admin', ...process.argv.slice(2)]
process.exitCode = await runStep(bun, args, { cwd: root })
