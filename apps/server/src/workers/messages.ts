import type { Config } from '../config/config.ts'
import type { Account } from '../database/embedded/account.ts'
import type { MetricValues } from '../metrics.ts'
import type { Secrets } from '../secrets.ts'
import type { Serving } from '../service.ts'

type ToldCounts = ReturnType<Serving['limits']['tell']>

/** A worker's configuration. Sent over IPC, because arguments and environment are visible to other processes. */
export type Assignment = {
  config: Config
  secrets: Secrets
  databaseUrl: string
  /** The account that serves instead of root, once the port is bound. */
  instead: Account | null
  firstSlot: number
  /** Where new connections go as soon as it listens, as with `steer`. */
  steeredTo: number
}

export type ToWorker =
  | { kind: 'serve'; assignment: Assignment }
  /** Sends new connections to the listener at this position; -1 restores the kernel's distribution. */
  | { kind: 'steer'; place: number }
  /** The replacement is running: ask clients to reconnect, finish open requests, then exit. */
  | { kind: 'leave' }
  /** The service is stopping: finish open requests, then exit. */
  | { kind: 'stop' }
  | { kind: 'measure'; question: number }
  | { kind: 'measured'; question: number; text: string }
  | { kind: 'calls-counted'; told: ToldCounts }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'serving' }
  | { kind: 'steered' }
  /** An error message for the operator. */
  | { kind: 'failed'; sentence: string; schemaDiffers: boolean }
  /** This worker can no longer serve, and neither can the others. */
  | { kind: 'must-stop'; sentence: string }
  | { kind: 'measure-all'; question: number }
  | { kind: 'measures'; question: number; values: MetricValues }
  | { kind: 'calls-counted'; told: ToldCounts }
