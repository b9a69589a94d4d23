import type { Log } from './log.ts'

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

/** Logs what is still being counted, before the process exits. */
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
