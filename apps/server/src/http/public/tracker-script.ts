import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { TRACKER_FILE } from '@tributary/contract'
import type { App, Call } from '../context.ts'
import { once } from '../once.ts'

const TRACKER = join(import.meta.dir, '../../../../../packages/tracker')

const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  // One hour, so that a fix reaches every page the same day. A stale copy may be used for another day while it is refreshed.
  'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  vary: 'Accept-Encoding',
  // Any origin may load it, including cross-origin isolated pages.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

type Encoding = 'br' | 'gzip' | 'identity'

/** Compressed once per process. */
const compressed = once(() => {
  const script = readFileSync(join(TRACKER, TRACKER_FILE))
  const bodies: Record<Encoding, Uint8Array<ArrayBuffer>> = {
    br: new Uint8Array(brotliCompressSync(script)),
    gzip: new Uint8Array(gzipSync(script, { level: 9 })),
    identity: new Uint8Array(script),
  }
  return { bodies, hash: createHash('sha256').update(script).digest('base64url').slice(0, 22) }
})

/** GET /service-tracker.js. Hono answers HEAD with the same handler. */
export const trackerScript = (app: App) => {
  const { bodies, hash } = compressed()

  app.get(`/${TRACKER_FILE}`, (c) => {
    const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '')
    // A strong ETag identifies exact bytes, so each encoding needs its own.
    const etag = `"${hash}-${encoding}"`
    const headers = { ...HEADERS, etag, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
    if (isKnown(c, etag)) return c.body(null, 304, { ...HEADERS, etag })
    return c.body(bodies[encoding], 200, headers)
  })
}

/** `gzip;q=0` means not accepted. Prefers the smallest accepted encoding. */
const preferredEncoding = (accepted: string): Encoding => {
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? 'identity'
}

/** A proxy that compresses the file makes the ETag weak, but it still identifies this copy. */
const isKnown = (c: Call, etag: string) =>
  (c.req.header('if-none-match') ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
