import type { Context, Hono } from 'hono'
import type { Auth } from '../accounts/auth.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Program } from '../programs/programs.ts'
import type { ClickWriter } from '../tracking/record-click.ts'
import type { ClientIp } from '../visitors/client-ip.ts'
import type { Visitors } from '../visitors/visitor.ts'
import type { Patience } from './answer-in-time.ts'
import type { KeyedPrograms } from './keyed/keyed-programs.ts'
import type { RateLimits } from './rate-limits.ts'

/** What the routes are built from. Tests build it with another clock; nothing is a global. */
export type Dependencies = {
  db: Database
  /** The same database through connections that only leads, sales, refunds and payments use. */
  moneyDb: Database
  clock: Clock
  clicks: ClickWriter
  visitors: Visitors
  clientIp: ClientIp
  auth: Auth
  keyedPrograms: KeyedPrograms
  limits: RateLimits
  log: Log
  metrics: Metrics
  hashKey: string
  baseUrl: string
  openSignup: boolean
}

export type User = { id: string; email: string; name: string }

export type Env = {
  Bindings: { server?: { requestIP(request: Request): { address: string } | null } }
  Variables: {
    requestId: string
    clientIp: string | null
    errorCode?: string
    patience?: Patience
    user: User
    program: Program
  }
}

export type App = Hono<Env>
export type Call = Context<Env>
