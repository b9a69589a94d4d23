import { hostname } from 'node:os'
import { inspect } from 'node:util'
import { VERSION } from '@tributary/contract/version'
import pino from 'pino'

export type Log = pino.Logger

/** Which process writes a line. Worker 0 is the only process of an instance, or the parent of its workers. */
type Source = { node?: string; worker?: number }

/** JSON lines on stdout. Callers choose what to log; `redact` is the safety net. */
export const createLog = (level: string, { node = hostname(), worker = 0 }: Source = {}): Log =>
  pino(
    {
      level,
      base: { version: VERSION, node, worker },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['email', 'password', 'authorization', 'cookie', 'ip', 'customer_key', 'customerKey'],
    },
    output(),
  )

/** Logs a program's ledger head. A copy kept outside the database later proves that no lines were removed. */
export const logHead = (log: Pick<Log, 'info'>) => (head: string) => log.info({ head }, 'ledger sealed')

/** Writes for a person at a terminal instead of for a log collector. */
export const isTerminal = process.stdout.isTTY === true

/** A sentence for the operator: as it is on a terminal, otherwise a line of the log. */
export const tell = (log: Log, level: 'info' | 'warn' | 'fatal', sentence: string) =>
  isTerminal ? console.error(sentence) : log[level](sentence)

/** Turns what libraries print into lines of the log, and crashes too. */
export const captureOutput = (log: Log) => {
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void exitWith(1)
  })
  if (isTerminal) return
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...values: unknown[]) =>
      log[level](values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
  Object.assign(console, { log: write('info'), info: write('info'), warn: write('warn'), error: write('error') })
}

/** A pipe may still hold the last lines. */
export const exitWith = (code: number): Promise<never> =>
  new Promise(() => {
    process.stdout.write('', () => process.exit(code))
    setTimeout(() => process.exit(code), 1_000) // the reader is stuck
  })

let isWatched = false

/** If the log reader is gone or its disk is full, drop the line instead of crashing. */
const output = () => {
  if (!isWatched) process.stdout.on('error', () => {})
  isWatched = true
  return process.stdout
}

const WINDOW_MS = 1_000
/** Bounds memory and output; what exceeds it shares one kind. */
const MAX_KINDS = 200
const OTHERS = 'others'

type Line = { level: 'info' | 'warn' | 'error'; fields: object; message: string }
type Window = { count: number; last: Line; timer: ReturnType<typeof setTimeout> }

const windows = new WeakMap<Log, Map<string, Window>>()

const windowsOf = (log: Log) => {
  const open = windows.get(log) ?? new Map<string, Window>()
  windows.set(log, open)
  return open
}

/**
 * Logs one line a second per kind: the first immediately, later ones as the last of them with their `count`. For lines that any
 * caller can cause, who could otherwise fill the disk.
 */
export const logLimited = (log: Log, kind: string, line: Line) => {
  const open = windowsOf(log)
  const key = open.has(kind) || open.size < MAX_KINDS ? kind : OTHERS
  const window = open.get(key)
  if (window) {
    window.count += 1
    window.last = line
    return
  }
  log[line.level](line.fields, line.message)
  open.set(key, { count: 0, last: line, timer: endLater(log, key) })
}

/** Logs pending counts before the process exits. */
export const flushLimited = (log: Log) => {
  for (const [key, { timer }] of windowsOf(log)) {
    clearTimeout(timer)
    endWindow(log, key)
  }
}

const endLater = (log: Log, key: string) => setTimeout(() => endWindow(log, key), WINDOW_MS).unref()

const endWindow = (log: Log, key: string) => {
  const open = windowsOf(log)
  const window = open.get(key)
  if (!window?.count) return void open.delete(key)
  const { count, last } = window
  log[last.level]({ ...last.fields, count }, last.message)
  open.set(key, { count: 0, last, timer: endLater(log, key) })
}
