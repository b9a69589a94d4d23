import { Hono } from 'hono'
import type { ShopConfig } from './config.ts'
import { createCustomers } from './customers.ts'
import { createHostedCheckout } from './hosted-checkout.ts'
import { landingPage } from './pages/landing.ts'
import { pricingPage } from './pages/pricing.ts'
import { createReferrals, type RetryOptions } from './referrals.ts'
import { checkout } from './routes/checkout.ts'
import { type Dependencies, readContext } from './routes/context.ts'
import { signUp } from './routes/sign-up.ts'

export { readShopConfig, type ShopConfig } from './config.ts'

type Options = ShopConfig & { log?: (message: string) => void; retry?: RetryOptions }

const DEFAULT_RETRY: RetryOptions = { budgetMs: 5_000, retryAfterMs: 10_000 }

/** A small merchant site: landing page, pricing, sign-up, checkout and account. */
export const startShop = ({ log = console.error, retry = DEFAULT_RETRY, ...config }: Options) => {
  const referrals = createReferrals(config, { log, retry })
  const app = new Hono()
  const server = Bun.serve({ port: config.port, hostname: config.hostname, fetch: (request) => app.fetch(request) })
  const port = server.port ?? 0
  const url = config.publicUrl ?? `http://localhost:${port}`
  const dependencies: Dependencies = {
    config,
    customers: createCustomers(),
    referrals,
    hostedCheckout: createHostedCheckout(config, referrals),
    shopUrl: () => url,
  }

  app.use(async (c, next) => {
    await next()
    c.header('content-security-policy', contentPolicy(config))
    c.header('referrer-policy', 'strict-origin-when-cross-origin')
  })
  app.get('/style.css', () => new Response(Bun.file(new URL('style.css', import.meta.url))))
  app.get('/', (c) => c.html(landingPage(readContext(c, dependencies))))
  app.get('/pricing', (c) => c.html(pricingPage(readContext(c, dependencies))))
  signUp(app, dependencies)
  checkout(app, dependencies)
  app.onError((error, c) => {
    log(`${c.req.method} ${c.req.path}: ${error.message}`)
    return c.text('Something went wrong. Please try again.', 500)
  })

  const stop = async () => {
    await server.stop(true)
    referrals.close()
  }
  return { url, port, customers: dependencies.customers, stop }
}

export type Shop = ReturnType<typeof startShop>

/** Allows only the tracker script, its calls and the checkout form. */
const contentPolicy = ({ tributaryUrl, processorUrl }: ShopConfig) =>
  [
    "default-src 'self'",
    `script-src ${tributaryUrl}`,
    `connect-src ${tributaryUrl}`,
    "img-src 'self' data:",
    `form-action 'self' ${processorUrl}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
