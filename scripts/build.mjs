import { typeCheck } from './checks.mjs'
import { prepare } from './prepare.mjs'

// The server runs from its sources; this is where the tracker's and the dashboard's bundles will be made.
process.exitCode = await typeCheck(prepare({ development: true }))
