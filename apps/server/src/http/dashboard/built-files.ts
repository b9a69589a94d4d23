import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'

/** Output folder of `npm run build`. */
const DIST = resolve(import.meta.dir, '../../../../dashboard/dist')

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type BuiltFile = { type: string; etag: string; body: Bytes; brotli: Bytes | null; gzip: Bytes | null }
export type BuiltDashboard = { index: string; files: Map<string, BuiltFile> }
type Bytes = Uint8Array<ArrayBuffer>

/**
 * Reads the whole build into memory. A build made while the service runs takes effect at the next start, so the service never
 * mixes files of two builds. Null without a build.
 */
export const readBuiltDashboard = (folder = DIST): BuiltDashboard | null => {
  if (!existsSync(join(folder, 'index.html'))) return null
  const files = new Map<string, BuiltFile>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)]
    if (type && statSync(join(folder, name)).isFile()) files.set(`/${name}`, readBuiltFile(join(folder, name), type))
  }
  return { index: readFileSync(join(folder, 'index.html'), 'utf8'), files }
}

const readBuiltFile = (path: string, type: string): BuiltFile => {
  const body = bytesOf(path)
  const compressed = (ending: string) => (existsSync(path + ending) ? bytesOf(path + ending) : null)
  return { type, etag: etagOf(body), body, brotli: compressed('.br'), gzip: compressed('.gz') }
}

const bytesOf = (path: string): Bytes => new Uint8Array(readFileSync(path))

export const etagOf = (body: Uint8Array | string) =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
