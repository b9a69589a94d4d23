/**
 * Builds the package that merchants install: `dist/` with JavaScript, types and its own package.json. The package.json next to this
 * file points at the sources, so that nothing has to be built during development.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from './package.json'

const HERE = import.meta.dir
const ROOT = join(HERE, '../..')

/** Compiles the sources into `folder`: ES modules, and CommonJS in `cjs`. Throws with the compiler's output if that fails. */
export const build = (folder = join(HERE, 'dist')) => {
  rmSync(folder, { recursive: true, force: true })
  compile(folder)
  compile(
    join(folder, 'cjs'),
    '--module',
    'CommonJS',
    '--moduleResolution',
    'bundler',
    '--verbatimModuleSyntax',
    'false',
  )
  writeFileSync(join(folder, 'cjs/package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`)
  for (const [from, name] of [
    [HERE, 'README.md'],
    [ROOT, 'LICENSE'],
  ] as const)
    cpSync(join(from, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
  return folder
}

const compile = (folder: string, ...options: string[]) => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const project = join(HERE, 'tsconfig.build.json')
  const tsc = Bun.spawnSync(['node', compiler, '-p', project, '--outDir', folder, ...options])
  if (tsc.exitCode !== 0) throw new Error(`the SDK does not compile:\n${tsc.stdout}${tsc.stderr}`)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.d.ts')) pointAtBuilt(join(folder, name))
}

/** tsc rewrites `.ts` imports in JavaScript but not in type declarations, where older compilers and editors reject them. */
const pointAtBuilt = (file: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\.?\/[\w/-]+)\.ts'/g, "$1.js'"))

const published = () => ({
  name: manifest.name,
  version: manifest.version,
  description: 'Sends leads, sales and refunds to a Tributary service, and verifies its webhooks. Beta.',
  license: manifest.license,
  type: manifest.type,
  sideEffects: false,
  engines: { node: '>=18' },
  exports: Object.fromEntries(
    Object.entries(manifest.exports).map(([name, source]) => {
      const [built, required] = ['./', './cjs/'].map((folder) => source.replace('./src/', folder).replace(/\.ts$/, ''))
      return [name, { import: target(built), require: target(required) }]
    }),
  ),
})

const target = (path = '') => ({ types: `${path}.d.ts`, default: `${path}.js` })

if (import.meta.main) console.log(`Built the package in ${build()}. To install it elsewhere, run npm pack <folder>.`)
