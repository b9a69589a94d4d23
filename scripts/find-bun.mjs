import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The Bun binary of an installed `bun` package, or null. npm may run no install scripts; Bun's script installs its binary. */
export const findBun = (packageFolder) => {
  const bun = join(packageFolder, 'bin', 'bun.exe')
  if (runs(bun)) return bun
  spawnSync(process.execPath, [join(packageFolder, 'install.js')], {
    cwd: packageFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return runs(bun) ? bun : null
}

const runs = (bun) => existsSync(bun) && spawnSync(bun, ['--version'], { stdio: 'ignore' }).status === 0
