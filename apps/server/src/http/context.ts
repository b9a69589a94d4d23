import type { Context, Hono } from 'hono'
import type { Auth } from '../accounts/auth.ts'
import type { SignOn } from '../accounts/open-sign-on.ts'
import type { SignUps } from '../accounts/sign-ups.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Reports } from '../database/reports.ts'
import type { Tx } from '../database/transaction.ts'
import type { LiveEvents } from '../events/live-events.ts'
import type { KeptAnswers } from '../events/overview/kept-answers.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Metrics } from '../metrics.ts'
import type { EventFeed } from '../outbox/feed.ts'
import type { SignedInUser } from '../platform/actor.ts'
import type { EventBatches } from '../processor/receive-event.ts'
import type { ProcessorSettings } from '../processor/settings.ts'
import type { ClickWriter } from '../tracking/clicks/record-click.ts'
import type { LeadBatches } from '../tracking/leads/record-lead.ts'
import type { Visits } from '../tracking/leads/visits.ts'
import type { RefundBatches } from '../tracking/sales/record-refund.ts'
import type { SaleBatches } from '../tracking/sales/record-sale.ts'
import type { ClientIp } from '../visitors/client-ip.ts'
import type { Visitors } from '../visitors/visitor.ts'
import type { AddressRules } from '../webhooks/sending/public-addresses.ts'
import type { KeyedPrograms } from './keyed/keyed-programs.ts'
import type { RateLimits } from './rate-limits.ts'

/** The time limit of a call. It is paused while the request body arrives (read-json.ts). */
export type TimeLimit = { pause(): void; resume(): void }

/** Everything the routes need. There are no globals; tests pass their own clock. */
export type Dependencies = {
  db: Database
  /** On connections reserved for leads, sales, refunds and payments. */
  moneyDb: Database
  /** Concurrent calls of one kind run as one batch. */
  batches: {
    leads: LeadBatches
    sales: SaleBatches
    refunds: Pick<RefundBatches, 'run' | 'alone'>
    events: EventBatches
  }
  clock: Clock
  clicks: ClickWriter
  liveEvents: LiveEvents
  eventFeed: EventFeed
  /** The replica, if there is one. */
  reports: Reports
  /** Reports about many events. */
  keptAnswers: KeptAnswers
  visitors: Visitors
  visits: Visits
  clientIp: ClientIp
  auth: Auth
  /** `auth` inside a transaction. */
  authIn: (tx: Tx) => Auth
  signUp: SignUps
  keyedPrograms: KeyedPrograms
  limits: RateLimits
  /** The team's identity provider; null without one. */
  signOn: SignOn | null
  /** Null without a mail server. */
  mailer: Mailer | null
  log: Log
  metrics: Metrics
  hashKey: string
  /** What new click IDs and API keys start with; empty unless this is one of several cells. */
  cell: string
  processor: ProcessorDependencies
  /** `sealKey` encrypts the signing secrets of endpoints; `rules` say which addresses may be called. */
  webhooks: { sealKey: Buffer; rules: AddressRules }
  baseUrl: string
  /** Where partners open the portal; the base URL unless the operator set another one. */
  portalUrl: string
  /** Signs the links that unsubscribe from notification emails. */
  unsubscribeKey: Buffer
  openSignup: boolean
  checkAnswers: boolean
  /** Allows the first account to be created from another machine. */
  setupToken: string
}

/** `db` has its own connections, so that webhooks and merchants' calls do not wait for each other. */
export type ProcessorDependencies = {
  db: Database
  settings: ProcessorSettings
  sealKey: Buffer
  stateKey: Buffer
}

export type Bindings = {
  /** The server that accepted the request, to look up its socket address. */
  server?: { requestIP(request: Request): { address: string } | null }
  /** For HEAD: receives the response before Hono removes its body. */
  keepResponse?: (response: Response) => void
}

export type Env = {
  Bindings: Bindings
  Variables: {
    requestId: string
    clientIp: string | null
    errorCode?: string
    unavailableReason?: string
    timeLimit?: TimeLimit
    /** In routes of the sign-in library. */
    user: SignedInUser
  }
}

export type App = Hono<Env>
export type FetchHandler = { fetch(request: Request, bindings: Bindings): Response | Promise<Response> }
export type Call = Context<Env>
