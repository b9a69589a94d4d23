import { Refusal } from '../refusal.ts'
import type { App } from './context.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
const SAFE_SITES = [undefined, 'same-origin', 'none']

/**
 * CSRF protection: browsers send the origin of a POST. One that withholds it still says whether the page is on another site; a
 * server says neither.
 */
export const refuseForeignOrigins = (app: App, addresses: string[]) => {
  const own = new Set<string | undefined>(addresses.map((address) => new URL(address).origin))
  app.use('/api/*', async (c, next) => {
    const origin = c.req.header('origin')
    const isTracking = c.req.path.startsWith('/api/v1/')
    if (isTracking || SAFE_METHODS.includes(c.req.method) || own.has(origin)) return next()
    if (origin === undefined && SAFE_SITES.includes(c.req.header('sec-fetch-site'))) return next()
    if (origin !== undefined && URL.parse(origin)?.host === c.req.header('host')) return next()
    throw new Refusal(
      'origin_not_allowed',
      'This call came from another website. Make it from the dashboard or from a server.',
    )
  })
}
