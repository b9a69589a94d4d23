import type { Context, Hono } from 'hono'
import type { Auth } from '../accounts/auth.ts'
import type { SignUps } from '../accounts/sign-ups.ts'
import type { Clock } from '../clock.ts'
import type { StripeSettings } from '../config/stripe.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { LiveEvents } from '../events/live-events.ts'
import type { SlowAnswers } from '../events/overview/slow-answers.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Metrics } from '../metrics.ts'
import type { EventBatches } from '../processor/receive-event.ts'
import type { Program } from '../programs/programs.ts'
import type { ClickWriter } from '../tracking/clicks/record-click.ts'
import type { LeadBatches } from '../tracking/leads/record-lead.ts'
import type { RefundBatches } from '../tracking/sales/record-refund.ts'
import type { SaleBatches } from '../tracking/sales/record-sale.ts'
import type { ClientIp } from '../visitors/client-ip.ts'
import type { Visitors } from '../visitors/visitor.ts'
import type { KeyedPrograms } from './keyed/keyed-programs.ts'
import type { RateLimits } from './rate-limits.ts'

/** How long a call is let work. It does not run while the caller sends: that wait is theirs (read-json.ts). */
export type Patience = { pause(): void; resume(): void }

/** What the routes are built from. Tests build it with another clock; nothing is a global. */
export type Dependencies = {
  db: Database
  /** The same database through connections that only leads, sales, refunds and payments use. */
  moneyDb: Database
  /** Where calls that come at once are carried out together, each with their own kind. */
  batches: {
    leads: LeadBatches
    sales: SaleBatches
    refunds: Pick<RefundBatches, 'run' | 'alone'>
    events: EventBatches
  }
  clock: Clock
  clicks: ClickWriter
  liveEvents: LiveEvents
  /** Answers of the overview that take long. */
  slowAnswers: SlowAnswers
  visitors: Visitors
  clientIp: ClientIp
  auth: Auth
  /** The same on the connection of a transaction, for what has to be looked at and changed as one. */
  authIn: (tx: Tx) => Auth
  signUp: SignUps
  keyedPrograms: KeyedPrograms
  limits: RateLimits
  /** Null where no mail server is set. */
  mailer: Mailer | null
  log: Log
  metrics: Metrics
  hashKey: string
  processor: ProcessorDependencies
  baseUrl: string
  openSignup: boolean
  /** Lets the first account be created from another machine. */
  setupToken: string
}

/** Connections of its own, so that neither webhooks nor merchants' servers wait for each other; and keys for its secrets. */
export type ProcessorDependencies = { db: Database; stripe: StripeSettings; sealKey: Buffer; stateKey: Buffer }

export type Partner = {
  partnerId: number
  name: string
  email: string | null
  code: string
  status: string
  archived: boolean
}
export type User = { id: string; email: string; name: string }

/** What a request comes with beside itself: the server that has its socket. */
export type Bindings = { server?: { requestIP(request: Request): { address: string } | null } }

export type Env = {
  Bindings: Bindings
  Variables: {
    requestId: string
    clientIp: string | null
    errorCode?: string
    patience?: Patience
    user: User
    program: Program
    partner: Partner
  }
}

export type App = Hono<Env>
/** Whatever answers requests: the routes, and before them the click. */
export type Answering = { fetch(request: Request, bindings: Bindings): Response | Promise<Response> }
export type Call = Context<Env>
