/**
 * Builds the package that merchants install: `dist/` with JavaScript, types and its own package.json. The package.json next to this
 * file points at the sources, so that nothing has to be built during development.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from './package.json'

const HERE = import.meta.dir
const ROOT = join(HERE, '../..')

/** Compiles the sources into `folder`. Throws with the compiler's output if that fails. */
export const build = (folder = join(HERE, 'dist')) => {
  rmSync(folder, { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const tsc = Bun.spawnSync(['node', compiler, '-p', join(HERE, 'tsconfig.build.json'), '--outDir', folder])
  if (tsc.exitCode !== 0) throw new Error(`the SDK does not compile:\n${tsc.stdout}${tsc.stderr}`)
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) pointAtBuilt(join(folder, name))
  for (const [from, name] of [
    [HERE, 'README.md'],
    [ROOT, 'LICENSE'],
  ] as const)
    cpSync(join(from, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
  return folder
}

/** tsc rewrites `.ts` imports in JavaScript but not in type declarations, where older compilers and editors reject them. */
const pointAtBuilt = (file: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))

const published = () => ({
  name: manifest.name,
  version: manifest.version,
  description: 'Sends leads, sales and refunds to a Tributary service. Beta.',
  license: manifest.license,
  type: manifest.type,
  sideEffects: false,
  engines: { node: '>=18' },
  exports: Object.fromEntries(
    Object.entries(manifest.exports).map(([name, source]) => {
      const built = source.replace('./src/', './').replace(/\.ts$/, '')
      return [name, { types: `${built}.d.ts`, default: `${built}.js` }]
    }),
  ),
})

if (import.meta.main) console.log(`Built the package in ${build()}. To install it elsewhere, run npm pack <folder>.`)
