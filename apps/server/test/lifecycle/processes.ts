import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findAccount } from '../../src/database/embedded/account.ts'

type Process = { pid: number; parent: number; command: string }

/** Slim containers have no `ps`, and macOS has no /proc. */
const hasProc = existsSync('/proc/self/stat')

/** Empty for a process that has ended meanwhile. */
const readProc = (pid: string, file: 'stat' | 'cmdline') => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const commandOf = (pid: string) => readProc(pid, 'cmdline').replaceAll('\0', ' ')

const statOf = (pid: string) => {
  const [state = 'Z', parent = ''] = readProc(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return { isAlive: state !== 'Z' && state !== '', parent: Number(parent) }
}

const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

const describe = (pid: string): Process => ({ pid: Number(pid), parent: statOf(pid).parent, command: commandOf(pid) })

const fromPs = () =>
  spawnSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return command ? [{ pid: Number(pid), parent: Number(parent), command }] : []
    })

// Tests poll these many times a second, so they read as little as possible of each process.

/** The watchdog and the server have their data directory in their command line. */
export const processesWith = (text: string): Process[] =>
  hasProc
    ? pids()
        .filter((pid) => commandOf(pid).includes(text) && statOf(pid).isAlive)
        .map(describe)
    : fromPs().filter(({ command }) => command.includes(text))

export const childrenOf = (parent: number): Process[] =>
  hasProc
    ? pids()
        .filter((pid) => {
          const stat = statOf(pid)
          return stat.isAlive && stat.parent === parent
        })
        .map(describe)
    : fromPs().filter((process) => process.parent === parent)

export const isAlive = (pid: number) =>
  hasProc ? statOf(String(pid)).isAlive : fromPs().some((process) => process.pid === pid)

/** The service's watchdog, the Postgres below it, and the backends below that. */
export const familyOf = (servicePid: number) => {
  const watchdog = childrenOf(servicePid).find(({ command }) => command.includes('tributary-watchdog'))
  const server = watchdog && childrenOf(watchdog.pid)[0]
  if (!watchdog || !server) throw new Error(`no Postgres below process ${servicePid}`)
  return { watchdog: watchdog.pid, server: server.pid, backends: childrenOf(server.pid).map(({ pid }) => pid) }
}

/** Real, effective, saved and file system user of a process. */
const usersOf = (pid: number) => /^Uid:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]?.split(/\s+/)

/** Whether the process runs as the user that root lends to Postgres. */
export const isOrdinary = (pid: number) => usersOf(pid)?.every((uid) => uid === String(findAccount()?.uid)) === true
