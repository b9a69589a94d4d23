import { launch } from './launch.mjs'
import { prepare } from './prepare.mjs'

await launch(prepare({ development: false }), ['examples/demo/main.ts'])
