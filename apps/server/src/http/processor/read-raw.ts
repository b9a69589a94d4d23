import { MAX_EVENT_BYTES } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'

const tooLarge = () =>
  new Refusal('payload_too_large', `The body is larger than ${MAX_EVENT_BYTES / 1024 / 1024} MiB, which no event is.`)

/** The bytes as they came: a signature is over them and nothing else. No more of them are held than an event can have. */
export const readRaw = async (request: Request): Promise<Buffer> => {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_EVENT_BYTES) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_EVENT_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
