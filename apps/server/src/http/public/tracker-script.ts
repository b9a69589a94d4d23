import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { TRACKER_FILE } from '@tributary/contract'
import type { App, Call } from '../context.ts'
import { once } from '../once.ts'

const HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  // An hour, so that a correction reaches every page the same day; for a day more an old copy does while it is renewed.
  'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  vary: 'Accept-Encoding',
  // Pages of every origin load it, those included that isolate themselves from others.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

type Encoding = 'br' | 'gzip' | 'identity'

/** Compressed once in a process. */
const compressed = once(() => {
  const script = readFileSync(fileURLToPath(import.meta.resolve(`@tributary/tracker/${TRACKER_FILE}`)))
  const bodies: Record<Encoding, Uint8Array<ArrayBuffer>> = {
    br: new Uint8Array(brotliCompressSync(script)),
    gzip: new Uint8Array(gzipSync(script, { level: 9 })),
    identity: new Uint8Array(script),
  }
  return { bodies, hash: createHash('sha256').update(script).digest('base64url').slice(0, 22) }
})

/** GET /service-tracker.js: compressed at the start. HEAD is answered by Hono from the same. */
export const trackerScript = (app: App) => {
  const { bodies, hash } = compressed()

  app.get(`/${TRACKER_FILE}`, (c) => {
    const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '')
    // A strong tag names the very bytes, which each encoding has of its own.
    const etag = `"${hash}-${encoding}"`
    const headers = { ...HEADERS, etag, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
    if (isKnown(c, etag)) return c.body(null, 304, { ...HEADERS, etag })
    return c.body(bodies[encoding], 200, headers)
  })
}

/** `gzip;q=0` is a refusal; among what is accepted, the smallest is taken. */
const preferredEncoding = (accepted: string): Encoding => {
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? 'identity'
}

/** A proxy that compresses by itself makes the tag weak, and still means this copy. */
const isKnown = (c: Call, etag: string) =>
  (c.req.header('if-none-match') ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
