import { Refusal } from '../../refusal.ts'
import type { Call } from '../context.ts'
import { connectionClosed } from '../read-json.ts'

/** Longer than for JSON, because a file on a slow line takes a while. */
const BODY_WITHIN_MS = 60_000
/** Uploads held in memory at the same time, per process. */
const MOST_UPLOADS = 8
let uploads = 0

/** Reads a file from the body, up to `maxBytes`. */
export const readBytes = async (c: Call, { maxBytes }: { maxBytes: number }): Promise<Buffer> => {
  const tooLarge = () => {
    c.header('connection', 'close')
    return new Refusal('payload_too_large', `The file is larger than ${formatBytes(maxBytes)}. Send a smaller one.`)
  }
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (uploads >= MOST_UPLOADS)
    throw new Refusal('overloaded', 'Too many files are being uploaded. Try again in a few seconds.', {
      reason: 'too_many_uploads',
      retryAfterSeconds: 5,
    })
  uploads++
  try {
    return await readChunks(c.req.raw, { maxBytes, tooLarge })
  } finally {
    uploads--
  }
}

const readChunks = async (
  request: Request,
  { maxBytes, tooLarge }: { maxBytes: number; tooLarge: () => Refusal },
): Promise<Buffer> => {
  const reader = request.body?.getReader()
  if (!reader) return Buffer.alloc(0)
  const late = setTimeout(() => void reader.cancel().catch(() => {}), BODY_WITHIN_MS)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > maxBytes) throw tooLarge()
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error instanceof Refusal ? error : connectionClosed()
  } finally {
    clearTimeout(late)
  }
}

const formatBytes = (bytes: number) => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`)
