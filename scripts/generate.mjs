import { generate } from './generated-files.mjs'
import { prepare } from './prepare.mjs'

const onlyCompare = process.argv.includes('--check')
process.exitCode = await generate(prepare({ development: true }), { onlyCompare })
