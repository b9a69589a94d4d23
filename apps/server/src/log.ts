import pino from 'pino'

export type Log = pino.Logger

/** Structured lines on standard output. What is logged is chosen where it is logged; this is the net below it. */
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

/** The head of a program's ledger: kept elsewhere with the log, it shows later that nothing was cut off. */
export const logHead = (log: Log) => (head: string) => log.info({ head }, 'ledger sealed')

let isWatched = false

/** Whoever reads the log may be gone, or its disk full: a line is lost then, and nothing else is to end for that. */
const output = () => {
  if (!isWatched) process.stdout.on('error', () => {})
  isWatched = true
  return process.stdout
}
