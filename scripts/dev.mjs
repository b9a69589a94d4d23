import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { launch } from './launch.mjs'
import { prepare } from './prepare.mjs'

const tools = prepare({ development: true })

// Vite reloads the dashboard on every change and proxies every call to the service.
const port = process.env.PORT || '3000'
const vite = spawn(process.execPath, [join(tools.root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'], {
  cwd: join(tools.root, 'apps/dashboard'),
  env: { ...process.env, TRIBUTARY_SERVICE: `http://localhost:${port}` },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.on('exit', () => vite.kill())

await launch(tools, ['--watch', '--no-clear-screen', 'apps/server/src/main.ts'])
