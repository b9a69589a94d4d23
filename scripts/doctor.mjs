import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'

const { root, bun } = prepare({ development: false })
const command = ['apps/server/src/commands/doctor/doctor.ts', ...process.argv.slice(2)]
process.exitCode = await runStep(bun, command, { cwd: root })
