import type { App } from './context.ts'

/**
 * For pages that bring no stricter policy of their own: everything from here, nothing from elsewhere, no script that is not a
 * file. Styles may stand in the page, for the parts of the dashboard that place themselves do so by style attributes.
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

/** What browsers are told about every answer but those of the tracking calls, which other sites' pages make. */
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
