import { launch } from './launch.mjs'
import { prepare } from './prepare.mjs'

await launch(prepare({ development: false }), ['apps/server/src/commands/listen/listen.ts', ...process.argv.slice(2)])
