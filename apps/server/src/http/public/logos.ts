import { findLogo } from '../../programs/branding.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { programInPath } from '../program-in-path.ts'

/** GET /api/public/programs/:programId/logo/:hash: the address changes with the image. */
export const logos = (app: App, dependencies: Dependencies) =>
  app.get('/api/public/programs/:programId/logo/:hash', async (c) => {
    dependencies.limits.visitor(c.get('clientIp'))
    const { id: programId } = await programInPath(c, dependencies)
    const logo = await findLogo(c.get('db'), { programId, hash: c.req.param('hash') })
    if (!logo) throw new Refusal('not_found', 'This logo was replaced or removed. Reload the page that shows it.')
    return c.body(new Uint8Array(logo.bytes), 200, {
      'content-type': logo.type,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
