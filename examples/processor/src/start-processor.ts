import { Hono } from 'hono'
import { actionsOn } from './actions.ts'
import type { Books } from './books.ts'
import { controlsOf } from './controls.ts'
import { startDeliveries } from './deliveries.ts'
import type { Account } from './objects/account.ts'
import { pages } from './pages/routes.ts'
import type { Generation } from './payment.ts'
import { teller } from './tell.ts'
import { accounts } from './wire/accounts.ts'
import { apiCalls } from './wire/api-calls.ts'
import { checkoutSessions } from './wire/checkout-sessions.ts'
import type { Env } from './wire/context.ts'
import { events } from './wire/events.ts'
import { oauth } from './wire/oauth.ts'
import { objects } from './wire/objects.ts'
import { webhookEndpoints } from './wire/webhook-endpoints.ts'

export const DEFAULT_ACCOUNT = { id: 'acct_1Processor', name: 'The merchant', secretKey: 'sk_standin' }

type GivenAccount = Pick<Account, 'id' | 'secretKey'> & Partial<Omit<Account, 'connectedTo'>> & { connected?: boolean }

export type ProcessorOptions = {
  /** 0, the default, is any free one. */
  port?: number
  hostname?: string
  /** The API generation that its accounts speak. */
  apiVersion?: Generation
  /** Events of test mode say false. */
  livemode?: boolean
  /** Added where a checkout asks for automatic tax. */
  taxBps?: number
  /** The platform's client id, for OAuth. */
  clientId?: string
  /** The first is the platform's own, or the only merchant's. */
  accounts?: GivenAccount[]
  /** How long it waits before it sends an event again that was not taken. */
  retryDelaysMs?: number[]
}

/** A payment processor in memory that speaks the real wire. */
export const startProcessor = (options: ProcessorOptions = {}) => {
  const books = openBooks(options)
  const deliveries = startDeliveries({ retryDelaysMs: options.retryDelaysMs ?? [1_000, 5_000, 15_000, 60_000] })
  const tell = teller(books, deliveries)
  const actions = actionsOn(books, tell)
  const app = new Hono<Env>()
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: options.hostname ?? '127.0.0.1',
    fetch: (request) => app.fetch(request),
  })
  const port = server.port ?? 0
  const url = `http://localhost:${port}`

  const dependencies = { books, actions, tell, deliveries, baseUrl: () => url }
  apiCalls(app, dependencies)
  checkoutSessions(app, dependencies)
  objects(app, dependencies)
  events(app, dependencies)
  accounts(app, dependencies)
  webhookEndpoints(app, dependencies)
  oauth(app, dependencies)
  pages(app, dependencies)

  const ownAccount = [...books.accounts.keys()][0] ?? ''
  return {
    url,
    port,
    account: ownAccount,
    books,
    ...controlsOf({ ...dependencies, ownAccount }),
    stop: async () => {
      deliveries.stop()
      await server.stop(true)
    },
  }
}

export type Processor = ReturnType<typeof startProcessor>

const openBooks = (options: ProcessorOptions): Books => {
  const clientId = options.clientId ?? 'ca_standin'
  const rows = (options.accounts ?? [DEFAULT_ACCOUNT]).map(({ connected = false, ...account }: GivenAccount) => ({
    name: account.id,
    chargesEnabled: true,
    payoutsEnabled: true,
    detailsSubmitted: true,
    connectedTo: new Set(connected ? [clientId] : []),
    ...account,
  }))
  return {
    generation: options.apiVersion ?? 2026,
    livemode: options.livemode ?? true,
    taxBps: options.taxBps ?? 1_000,
    clientId,
    accounts: new Map(rows.map((account) => [account.id, account])),
    endpoints: [],
    payments: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    endedSubscriptions: new Set(),
    events: [],
    authorizationCodes: new Map(),
  }
}
