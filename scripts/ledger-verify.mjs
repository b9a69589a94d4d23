import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'

const { root, bun } = prepare({ development: false })
process.exitCode = await runStep(bun, ['apps/server/src/commands/verify-ledger.ts'], { cwd: root })
