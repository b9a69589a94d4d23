import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packTo } from './package/pack.mjs'
import { prepare } from './prepare.mjs'

// npm run package: builds the tarballs of the server, the SDK and the tracker in dist/.
const tools = prepare({ development: true })
const folder = join(tools.root, 'dist/packages')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const tarball of packTo(folder, tools))
  console.log(`${tarball}: ${(statSync(tarball).size / 1024 / 1024).toFixed(2)} MB`)
