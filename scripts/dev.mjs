import { launch } from './launch.mjs'
import { prepare } from './prepare.mjs'

await launch(prepare({ development: true }), ['--watch', '--no-clear-screen', 'apps/server/src/main.ts'])
