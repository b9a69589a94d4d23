import { biome } from './checks.mjs'
import { prepare } from './prepare.mjs'

process.exitCode = await biome(prepare({ development: true }), ['check', '--write'])
