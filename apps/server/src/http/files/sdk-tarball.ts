import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../refusal.ts'
import type { App } from '../context.ts'
import { etagOf } from '../dashboard/built-files.ts'
import { once } from '../once.ts'

/** Built by `npm start`, `npm run build` and `npm run package`. */
const TARBALL = join(import.meta.dir, '../../../../../packages/sdk/dist/sdk.tgz')

const read = once(() => {
  if (!existsSync(TARBALL)) return null
  const body = new Uint8Array(readFileSync(TARBALL))
  return { body, etag: etagOf(body) }
})

/** GET /sdk.tgz: the SDK of this version, so that merchants can install it before and after it is in a registry. */
export const sdkTarball = (app: App) => {
  app.get('/sdk.tgz', (c) => {
    const tarball = read()
    if (!tarball)
      throw new Refusal('not_found', 'The SDK has not been built. Run npm run build on the server and try again.')
    const headers = { 'content-type': 'application/gzip', 'cache-control': 'no-cache', etag: tarball.etag }
    if (c.req.header('if-none-match') === tarball.etag) return c.body(null, 304, headers)
    return c.body(tarball.body, 200, headers)
  })
}
