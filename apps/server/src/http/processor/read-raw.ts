import { MAX_EVENT_BYTES } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'
import { callerNetwork } from '../../visitors/network-of.ts'
import { connectionClosed } from '../read-json.ts'

const MIB = 1024 * 1024
/** Memory for webhook bodies, per process and per network. */
const MAX_HELD_BYTES = 64 * MIB
const MAX_HELD_BYTES_PER_NETWORK = 16 * MIB
/** Smaller bodies are always read, so that a few large, slow ones cannot block ordinary events. */
const ALWAYS_READ = MIB / 4
const BODY_WITHIN_MS = 10_000

const tooLarge = () =>
  new Refusal('payload_too_large', `The body is larger than ${MAX_EVENT_BYTES / MIB} MiB. Send one event per call.`)

const overloaded = () =>
  new Refusal('overloaded', 'Too many webhooks are arriving. Nothing was recorded; resend the event shortly.', {
    reason: 'too_many_bodies',
    retryAfterSeconds: 5,
  })

const tooSlow = () => new Refusal('invalid_request', 'The body did not arrive within 10 seconds. Resend the event.')

/** Rejects a body that announces too many bytes before reading it. */
export const refuseLongBody = (request: Request) => {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_EVENT_BYTES) throw tooLarge()
}

/** Assumed size of a body without a content length. */
const UNANNOUNCED = MIB

const announcedBytes = (request: Request) => Number(request.headers.get('content-length') ?? UNANNOUNCED) || 0

/** Adds up bytes per network. Returns whether the sum is within the limit. */
const sumsWithin = (most: number) => {
  const sums = new Map<string, number>()
  return (network: string, bytes: number) => {
    const sum = (sums.get(network) ?? 0) + bytes
    if (sum > 0) sums.set(network, sum)
    else sums.delete(network)
    return sum <= most
  }
}

/** Limits the memory used by webhook bodies, in total and per network. */
export const rawBodies = () => {
  let held = 0
  const addAnnounced = sumsWithin(MAX_HELD_BYTES_PER_NETWORK)
  const addHeld = sumsWithin(MAX_HELD_BYTES_PER_NETWORK)
  return {
    /** Wraps the whole call: bytes that arrive while the secret is looked up use memory too. */
    admit: async <Answer>(request: Request, ip: string | null, work: () => Promise<Answer>) => {
      const network = callerNetwork(ip)
      const announced = announcedBytes(request)
      try {
        if (!addAnnounced(network, announced)) throw overloaded()
        return await work()
      } finally {
        addAnnounced(network, -announced)
      }
    },
    hold: async <Answer>(request: Request, ip: string | null, use: (raw: Buffer) => Promise<Answer>) => {
      const network = callerNetwork(ip)
      let size = 0
      const take = (bytes: number) => {
        size += bytes
        held += bytes
        const isWithin = addHeld(network, bytes)
        if (size > MAX_EVENT_BYTES) throw tooLarge()
        if (!isWithin || (size > ALWAYS_READ && held > MAX_HELD_BYTES)) throw overloaded()
      }
      try {
        return await use(await readRaw(request, take))
      } finally {
        held -= size
        addHeld(network, -size)
      }
    },
  }
}

/** Returns the exact bytes, because the signature covers them. */
const readRaw = async (request: Request, take: (bytes: number) => void): Promise<Buffer> => {
  const reader = request.body?.getReader()
  if (!reader) return Buffer.alloc(0)
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    void reader.cancel().catch(() => {})
  }, BODY_WITHIN_MS)
  const chunks: Uint8Array[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) throw tooSlow()
      if (done) return Buffer.concat(chunks)
      take(value.byteLength)
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error instanceof Refusal ? error : connectionClosed()
  } finally {
    clearTimeout(late)
  }
}
