import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, processesWith } from '../../apps/server/test/lifecycle/processes.ts'

export const ROOT = join(import.meta.dir, '../..')

/** Generous enough for a busy machine; a process that ends is reported sooner. */
const PATIENCE_MS = 180_000

export const until = async (what: string, isTrue: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS) => {
  const giveUpAt = performance.now() + withinMs
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`${what}: not within ${withinMs / 1000} s`)
    await Bun.sleep(50)
  }
}

/** Processes per node. */
export const workersOf = ({ WORKERS }: Record<string, string | undefined>) => Number(WORKERS || 1)

/** A port that was free a moment ago. */
export const freePort = () => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return Number(port)
}

const commands = new Set<Bun.Subprocess>()

/** npm changes its command line and would go on writing into a removed folder. */
const killCommands = async () => {
  for (const command of commands) command.kill('SIGKILL')
  await Promise.all([...commands].map(({ exited }) => exited))
}

/** Returns what the command prints. The traffic goes on meanwhile. */
export const run = async (
  command: string[],
  { cwd, env }: { cwd: string; env?: Record<string, string | undefined> },
) => {
  const ran = Bun.spawn(command, { cwd, env: env ?? process.env, stdout: 'pipe', stderr: 'pipe' })
  commands.add(ran)
  const [stdout, stderr] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
  const code = await ran.exited
  commands.delete(ran)
  if (code !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

/** A block of the guide, so that the rehearsal uses exactly what an operator copies. */
export const guideBlock = (language: string, containing = '') => {
  const guide = readFileSync(join(ROOT, 'docs/guides/production.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, name]) => name === language)
  const found = blocks.find(([, , text]) => text?.includes(containing))?.[2]
  if (!found) throw new Error(`docs/guides/production.md has no ${language} block with "${containing}".`)
  return found
}

export const killIfAlive = (pid: number, signal: NodeJS.Signals = 'SIGKILL') => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

/** Ends processes with this folder in their command line: the embedded Postgres and its watchdog. */
export const killProcessesIn = async (folder: string) => {
  for (const { pid } of processesWith(folder)) if (pid !== process.pid && isAlive(pid)) killIfAlive(pid)
  await until('its processes have ended', () => processesWith(folder).every(({ pid }) => pid === process.pid))
}

export type Stage = ReturnType<typeof openStage>

/** A temporary folder in place of the machine's disks, and everything that has to be stopped at the end. */
export const openStage = (print: (line: string) => void) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-rehearsal-')))
  // Started as root, the service becomes another user, who has to reach its folders.
  chmodSync(folder, 0o755)
  const endings: (() => unknown)[] = []
  const end = async () => {
    await killCommands()
    for (const each of endings.splice(0).reverse()) await each()
    await killProcessesIn(folder)
    rmSync(folder, { recursive: true, force: true })
  }
  let ending: Promise<void> | null = null
  return {
    folder,
    print,
    path: (...names: string[]) => join(folder, ...names),
    makeFolder: (name: string) => {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      return path
    },
    afterwards: (end: () => unknown) => endings.push(end),
    /** Once, whether the rehearsal passes, fails or is interrupted. */
    close: () => {
      ending ??= end()
      return ending
    },
  }
}
