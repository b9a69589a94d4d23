import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

type Process = { pid: number; parent: number; command: string }

/** Slim containers have no `ps`, and macOS has no /proc. */
const listProcesses = (): Process[] => (existsSync('/proc/self/stat') ? fromProc() : fromPs())

const fromProc = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state = '', parent = ''] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        return [] // it ended while we looked
      }
    })

const fromPs = () =>
  spawnSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return command ? [{ pid: Number(pid), parent: Number(parent), command }] : []
    })

/** The watchdog and the server carry their data directory in their command line. */
export const processesWith = (text: string) => listProcesses().filter(({ command }) => command.includes(text))

export const childrenOf = (pid: number) => listProcesses().filter(({ parent }) => parent === pid)

export const isAlive = (pid: number) => listProcesses().some((process) => process.pid === pid)

/** The service's watchdog, the Postgres below it, and the backends below that. */
export const familyOf = (servicePid: number) => {
  const watchdog = childrenOf(servicePid).find(({ command }) => command.includes('tributary-watchdog'))
  const server = watchdog && childrenOf(watchdog.pid)[0]
  if (!watchdog || !server) throw new Error(`no Postgres below process ${servicePid}`)
  return { watchdog: watchdog.pid, server: server.pid, backends: childrenOf(server.pid).map(({ pid }) => pid) }
}
