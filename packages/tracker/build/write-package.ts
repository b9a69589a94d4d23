import { bundle } from './bundle.ts'

/** Writes the module and its types for the npm package. */
const folder = `${import.meta.dir}/..`
const types = await Bun.file(`${folder}/src/types.ts`).text()
const declaration = 'export declare const startTracker: (settings: Settings) => Service | undefined\n'
await Bun.write(`${folder}/dist/index.js`, await bundle('index.ts'))
await Bun.write(`${folder}/dist/index.d.ts`, `${types}\n${declaration}`)
