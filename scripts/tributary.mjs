#!/usr/bin/env node
// The `tributary` command of the published package. It needs Node only to be started by npx; Bun runs everything else.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBun } from './find-bun.mjs'
import { launch } from './launch.mjs'
import { runStep } from './run-step.mjs'

const cli = join(dirname(fileURLToPath(import.meta.url)), '../apps/server/src/commands/cli.js')
const args = process.argv.slice(2)
const bunPackage = dirname(createRequire(import.meta.url).resolve('bun/package.json'))
const bun = findBun(bunPackage)

// Paths are relative to this folder, wherever npm was started.
delete process.env.INIT_CWD

if (!bun) {
  console.error(
    `Bun does not run on this machine (${process.platform}-${process.arch}): see ${bunPackage}/bin/README.txt.`,
  )
  process.exitCode = 1
} else if (args[0] === 'start') await launch({ root: process.cwd(), bun }, [cli, ...args])
else process.exitCode = await runStep(bun, [cli, ...args])
