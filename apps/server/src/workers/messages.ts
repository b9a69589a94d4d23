import type { Config } from '../config/config.ts'
import type { Account } from '../database/embedded/account.ts'
import type { MetricValues } from '../metrics.ts'
import type { Secrets } from '../secrets.ts'
import type { Serving } from '../service.ts'

type ToldCounts = ReturnType<Serving['limits']['tell']>

/** What a worker needs to know. It travels on the channel between the two: neither arguments nor environment can be read there. */
export type Assignment = {
  config: Config
  secrets: Secrets
  databaseUrl: string
  /** Who serves instead of root, once the port is taken. */
  instead: Account | null
  firstSlot: number
  /** New connections go there from the moment it listens, as with `steer`. */
  steeredTo: number
}

export type ToWorker =
  | { kind: 'serve'; assignment: Assignment }
  /** New connections go to the worker at this place of the port's list; -1 is: to all, as the kernel spreads them. */
  | { kind: 'steer'; place: number }
  /** Its replacement is there: ask clients to connect anew, answer what is under way, end. */
  | { kind: 'leave' }
  /** The whole service stops: answer what is under way, end. */
  | { kind: 'stop' }
  | { kind: 'measure'; question: number }
  | { kind: 'measured'; question: number; text: string }
  | { kind: 'calls-counted'; told: ToldCounts }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'serving' }
  | { kind: 'steered' }
  /** A sentence that the person at the terminal should read. */
  | { kind: 'failed'; sentence: string; schemaDiffers: boolean }
  /** It serves no more, and nor can the others. */
  | { kind: 'must-stop'; sentence: string }
  | { kind: 'measure-all'; question: number }
  | { kind: 'measures'; question: number; values: MetricValues }
  | { kind: 'calls-counted'; told: ToldCounts }
