/**
 * Makes the package that merchants install: `dist/` with JavaScript, types and a package.json of its own. The package.json beside
 * this file points at the sources instead, so that nothing has to be built while one works in this repository.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from './package.json'

const HERE = import.meta.dir
const ROOT = join(HERE, '../..')

/** Compiles the sources into `folder`; throws with what the compiler says. */
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

/** The compiler mends the imports of JavaScript files only; older ones and editors stumble over `.ts` in types. */
const pointAtBuilt = (file: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))

const published = () => ({
  name: manifest.name,
  version: manifest.version,
  description: 'Reports sign-ups, sales and refunds to a Tributary service. Beta.',
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

if (import.meta.main) console.log(`The package is in ${build()}. To install it elsewhere: npm pack <that folder>`)
