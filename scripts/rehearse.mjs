import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'

const { root, bun } = prepare({ development: true })
process.exitCode = await runStep(bun, ['scripts/rehearsal/main.ts', ...process.argv.slice(2)], { cwd: root })
