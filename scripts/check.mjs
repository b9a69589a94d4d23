import { runChecks } from './checks.mjs'
import { prepare } from './prepare.mjs'

const failures = await runChecks(prepare({ development: true }))
process.exitCode = failures.length === 0 ? 0 : 1
