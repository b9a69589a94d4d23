import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startCommand } from './packages.ts'
import { freePort, guideBlock, killIfAlive, killProcessesIn, run, type Stage, until } from './stage.ts'

export type Settings = Record<string, string>
export type Node = ReturnType<typeof openNode>

/** The settings file of the guide, with the folders, ports and address of the rehearsal. */
export const guideSettings = (changes: Settings): Settings => {
  const lines = guideBlock('ini').trim().split('\n')
  return { ...Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))), ...changes }
}

const shell = () => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' })

/** One machine with the installed package: the service, and the commands of its operator. */
export const openNode = (stage: Stage, name: string, given: { prefix: string; settings: Settings }) => {
  const port = freePort()
  const settings: Settings = { ...given.settings, NODE_NAME: name, PORT: String(port) }
  const dataDir = settings.DATA_DIR ?? ''
  let child: ChildProcess | null = null
  let output = ''
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const ended = () => until(`${name} ends`, () => !isRunning())

  const start = async () => {
    mkdirSync(dataDir, { recursive: true })
    const [program = '', ...args] = startCommand(given.prefix)
    // A separate process group, so that losing the machine reaches all of it.
    const started = spawn(program, args, {
      cwd: dataDir,
      env: { ...shell(), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    output = ''
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk) => {
        output = (output + chunk).slice(-2_000_000)
      })
    child = started
    await until(`${name} is ready`, async () => {
      if (!isRunning()) throw new Error(`${name} ended:\n${output}`)
      return isReady()
    })
  }
  const kill = async () => {
    if (child) killIfAlive(-Number(child.pid))
    await killProcessesIn(dataDir)
    await ended()
  }
  stage.afterwards(async () => {
    if (isRunning()) await kill()
  })

  return {
    name,
    port,
    dataDir,
    start,
    kill,
    isRunning,
    output: () => output,
    /** What the log of this start calls an error, and anything that is not in the log. */
    errors: () =>
      output.split('\n').filter((line) => line !== '' && !/^\{"level":"(trace|debug|info|warn)"/.test(line)),
    stop: async () => {
      child?.kill('SIGTERM')
      await ended()
      if (child?.exitCode !== 0) throw new Error(`${name} stopped with ${child?.exitCode}:\n${output}`)
    },
    version: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`)
      return ((await response.json()) as { version: string }).version
    },
    /** `tributary …` with the same settings; throws with its output if it fails. */
    command: (...args: string[]) =>
      run([join(given.prefix, 'node_modules/.bin/tributary'), ...args], {
        cwd: stage.folder,
        env: { ...shell(), ...settings },
      }),
  }
}
