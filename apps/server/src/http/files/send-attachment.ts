import type { Call } from '../context.ts'

type File = { name: string; type: string; content: Uint8Array }

/** Sends a file to save. The browser neither shows it nor guesses its type, so it cannot run as part of this site. */
export const sendAttachment = (c: Call, { name, type, content }: File) => {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return c.body(Uint8Array.from(content), 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
}
