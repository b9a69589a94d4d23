import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findAccount } from '../../src/database/embedded/account.ts'

type Process = { pid: number; parent: number; command: string }

/** Slim containers have no `ps`, and macOS has no /proc. */
const hasProc = existsSync('/proc/self/stat')
const listProcesses = (): Process[] => (hasProc ? fromProc() : fromPs())

const readProcess = (pid: string): Process[] => {
  try {
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  } catch {
    return [] // it ended while we looked
  }
}

const fromProc = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(name))

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

export const isAlive = (pid: number) =>
  (hasProc ? readProcess(String(pid)) : fromPs()).some((process) => process.pid === pid)

/** The service's watchdog, the Postgres below it, and the backends below that. */
export const familyOf = (servicePid: number) => {
  const watchdog = childrenOf(servicePid).find(({ command }) => command.includes('tributary-watchdog'))
  const server = watchdog && childrenOf(watchdog.pid)[0]
  if (!watchdog || !server) throw new Error(`no Postgres below process ${servicePid}`)
  return { watchdog: watchdog.pid, server: server.pid, backends: childrenOf(server.pid).map(({ pid }) => pid) }
}

/** Real, effective, saved and file system user of a process. */
const usersOf = (pid: number) => /^Uid:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]?.split(/\s+/)

/** Runs as the user that root lends to Postgres. */
export const isOrdinary = (pid: number) => usersOf(pid)?.every((uid) => uid === String(findAccount()?.uid)) === true
