import type { Config } from '../config/config.ts'
import type { Account } from '../database/embedded/account.ts'
import type { MetricValues } from '../metrics.ts'
import type { Secrets } from '../secrets.ts'
import type { RunningService } from '../service.ts'

type CallCounts = ReturnType<RunningService['limits']['takeCounts']>

/** A worker's configuration. Sent over IPC, because arguments and environment are visible to other processes. */
export type Assignment = {
  config: Config
  secrets: Secrets
  databaseUrl: string
  /** The account that serves instead of root, once the port is bound. */
  serviceAccount: Account | null
  /** From 1, and the same for its replacements. */
  number: number
  firstSlot: number
  /** Where new connections go as soon as it listens, as with `steer`. */
  steerTo: number
}

export type ToWorker =
  | { kind: 'serve'; assignment: Assignment }
  /** Sends new connections to the listener at this position; -1 restores the kernel's distribution. */
  | { kind: 'steer'; position: number }
  /** The replacement is running: ask clients to reconnect, finish open requests, then exit. */
  | { kind: 'drain' }
  /** The service is stopping: finish open requests, then exit. */
  | { kind: 'stop' }
  | { kind: 'get-metrics'; requestId: number }
  | { kind: 'all-metrics'; requestId: number; text: string }
  | { kind: 'calls-counted'; counts: CallCounts }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'serving' }
  | { kind: 'steered' }
  /** An error message for the operator. */
  | { kind: 'failed'; reason: string; isSchemaMismatch: boolean }
  /** This worker can no longer serve, and neither can the others. */
  | { kind: 'must-stop'; reason: string }
  | { kind: 'get-all-metrics'; requestId: number }
  | { kind: 'metrics'; requestId: number; values: MetricValues }
  | { kind: 'calls-counted'; counts: CallCounts }
