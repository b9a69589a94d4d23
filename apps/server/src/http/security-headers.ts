import type { App } from './context.ts'

/**
 * Default policy for pages without a stricter one: same origin only, no inline scripts. Inline styles are allowed because
 * positioned parts of the dashboard use style attributes.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const YEAR_SECONDS = 31_536_000

/** Applies to every response except tracking calls, which other websites make. */
export const securityHeaders = (app: App, baseUrl: string) => {
  const isHttps = baseUrl.startsWith('https:')
  app.use(async (c, next) => {
    if (c.req.path.startsWith('/api/v1/')) return next()
    await next()
    const { headers } = c.res
    const add = (name: string, value: string) => {
      if (!headers.has(name)) headers.set(name, value)
    }
    add('x-content-type-options', 'nosniff')
    if (isHttps) add('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    if (c.req.path.startsWith('/api/')) add('cache-control', 'no-store')
    if (!headers.get('content-type')?.startsWith('text/html')) return
    add('content-security-policy', PAGE_POLICY)
    add('referrer-policy', 'same-origin')
    add('x-frame-options', 'DENY')
    add('cross-origin-opener-policy', 'same-origin')
  })
}
