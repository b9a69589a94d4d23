import pino from 'pino'

export type Log = pino.Logger

/** Structured lines on stdout. Callers choose what to log; `redact` is the safety net. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['email', 'password', 'authorization', 'cookie', 'ip', 'customer_key', 'customerKey'],
    },
    output(),
  )

/** Logs a program's ledger head. A copy kept outside the database later proves that no lines were removed. */
export const logHead = (log: Log) => (head: string) => log.info({ head }, 'ledger sealed')

let isWatched = false

/** If the log reader is gone or its disk is full, drop the line instead of crashing. */
const output = () => {
  if (!isWatched) process.stdout.on('error', () => {})
  isWatched = true
  return process.stdout
}
