import { Hono } from 'hono'
import { createActions } from './actions.ts'
import { createControls } from './controls.ts'
import { startDeliveries } from './deliveries.ts'
import type { Account } from './objects/account.ts'
import { addPaymentLink, type PaymentLinks, paymentLinks } from './pages/payment-links.ts'
import { pages } from './pages/routes.ts'
import type { Generation } from './payment.ts'
import { createPublisher } from './publisher.ts'
import type { Store } from './store.ts'
import { accounts } from './wire/accounts.ts'
import { apiCalls } from './wire/api-calls.ts'
import { checkoutSessions } from './wire/checkout-sessions.ts'
import type { Env } from './wire/context.ts'
import { events } from './wire/events.ts'
import { oauth } from './wire/oauth.ts'
import { objects } from './wire/objects.ts'
import { webhookEndpoints } from './wire/webhook-endpoints.ts'

export const DEFAULT_ACCOUNT = { id: 'acct_1Processor', name: 'The merchant', secretKey: 'sk_standin' }

type AccountOptions = Pick<Account, 'id' | 'secretKey'> &
  Partial<Omit<Account, 'connectedTo'>> & { connected?: boolean }

export type ProcessorOptions = {
  /** 0, the default, picks a free port. */
  port?: number
  hostname?: string
  /** API generation of its accounts. */
  apiVersion?: Generation
  /** False for test mode. */
  livemode?: boolean
  /** Tax rate for checkouts with automatic tax. */
  taxBps?: number
  /** The platform's client id, for OAuth. */
  clientId?: string
  /** The first is the platform's, or the only merchant's. */
  accounts?: AccountOptions[]
  /** Delays before each retry of a failed delivery. */
  retryDelaysMs?: number[]
}

/** An in-memory payment processor with Stripe's API. */
export const startProcessor = (options: ProcessorOptions = {}) => {
  const store = createStore(options)
  const deliveries = startDeliveries({ retryDelaysMs: options.retryDelaysMs ?? [1_000, 5_000, 15_000, 60_000] })
  const publisher = createPublisher(store, deliveries)
  const actions = createActions(store, publisher)
  const app = new Hono<Env>()
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: options.hostname ?? '127.0.0.1',
    fetch: (request) => app.fetch(request),
  })
  const port = server.port ?? 0
  const url = `http://localhost:${port}`

  const dependencies = { store, actions, publisher, deliveries, baseUrl: () => url }
  app.use(async (c, next) => {
    await next()
    c.header('content-security-policy', CONTENT_POLICY)
  })
  apiCalls(app, dependencies)
  checkoutSessions(app, dependencies)
  objects(app, dependencies)
  events(app, dependencies)
  accounts(app, dependencies)
  webhookEndpoints(app, dependencies)
  oauth(app, dependencies)
  pages(app, dependencies)
  const links: PaymentLinks = new Map()
  paymentLinks(app, { ...dependencies, links })

  const ownAccount = [...store.accounts.keys()][0] ?? ''
  return {
    url,
    port,
    account: ownAccount,
    store,
    /** The address of a Payment Link. */
    addPaymentLink: (link: Omit<Parameters<typeof addPaymentLink>[1], 'account'> = {}, account = ownAccount) =>
      url + addPaymentLink(links, { ...link, account }),
    ...createControls({ ...dependencies, ownAccount }),
    stop: async () => {
      deliveries.stop()
      await server.stop(true)
    },
  }
}

/** Without `form-action`, which would block the redirect back to the shop. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type Processor = ReturnType<typeof startProcessor>

const createStore = (options: ProcessorOptions): Store => {
  const clientId = options.clientId ?? 'ca_standin'
  const rows = (options.accounts ?? [DEFAULT_ACCOUNT]).map(({ connected = false, ...account }: AccountOptions) => ({
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
