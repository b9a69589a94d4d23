#!/usr/bin/env node
// The `tributary` command of the published package, and in a clone `npm run tributary --`. It needs Node only to be started
// by npm or npx; Bun runs everything else.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBun } from './find-bun.mjs'
import { launch } from './launch.mjs'
import { runStep } from './run-step.mjs'

const findInstalled = () => {
  // Paths are relative to this folder, wherever npm was started.
  delete process.env.INIT_CWD
  const bunPackage = dirname(createRequire(import.meta.url).resolve('bun/package.json'))
  const bun = findBun(bunPackage)
  if (bun) return { root: process.cwd(), bun }
  console.error(
    `Bun does not run on this machine (${process.platform}-${process.arch}): see ${bunPackage}/bin/README.txt.`,
  )
  process.exit(1)
}

const args = process.argv.slice(2)
const cli = join(dirname(fileURLToPath(import.meta.url)), '../apps/server/src/commands/cli')
const isClone = existsSync(`${cli}.ts`)
const { root, bun } = isClone ? (await import('./clone.mjs')).prepareClone(args) : findInstalled()
const command = [`${cli}.${isClone ? 'ts' : 'js'}`, ...args]
// These run until they are stopped.
if (args[0] === 'start' || args[0] === 'listen') await launch({ root, bun }, command)
else process.exitCode = await runStep(bun, command, { cwd: root })
