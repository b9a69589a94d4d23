import { MAX_EVENT_BYTES } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'
import { callerNetwork } from '../../visitors/network-of.ts'
import { cutOff } from '../read-json.ts'

const MIB = 1024 * 1024
/** Of all webhook bodies that are in memory at a time, in this process; and of those of one address. */
const MOST_HELD = 64 * MIB
const MOST_OF_ONE_NETWORK = 16 * MIB
/** No ordinary event is larger, so a few large bodies that are sent slowly cannot keep ordinary ones out. */
const ALWAYS_READ = MIB / 4
const BODY_WITHIN_MS = 10_000

const tooLarge = () =>
  new Refusal('payload_too_large', `The body is larger than ${MAX_EVENT_BYTES / MIB} MiB, which no event is.`)

const overloaded = () =>
  new Refusal(
    'overloaded',
    'Too many webhooks are arriving. Nothing was recorded; send the same event again shortly.',
    {
      retryAfterSeconds: 5,
    },
  )

const tooSlow = () => new Refusal('invalid_request', 'The body did not arrive within 10 seconds. Send the event again.')

/** Before a byte is read: a caller who announces too much is refused for it. */
export const refuseLongBody = (request: Request) => {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_EVENT_BYTES) throw tooLarge()
}

/** What a call without a content length is taken to send, until it has been read. */
const UNANNOUNCED = MIB

const announcedBytes = (request: Request) => Number(request.headers.get('content-length') ?? UNANNOUNCED) || 0

/** Sums by network, each within a limit. */
const sumsWithin = (most: number) => {
  const sums = new Map<string, number>()
  return (network: string, bytes: number) => {
    const sum = (sums.get(network) ?? 0) + bytes
    if (sum > 0) sums.set(network, sum)
    else sums.delete(network)
    return sum <= most
  }
}

/** Webhook bodies while they are worked with. What they take of memory together has a limit, and so has what one address sends. */
export const rawBodies = () => {
  let held = 0
  const addAnnounced = sumsWithin(MOST_OF_ONE_NETWORK)
  const addHeld = sumsWithin(MOST_OF_ONE_NETWORK)
  return {
    /** Around all of a call: what is sent while its secret is looked up waits in memory too. */
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
        if (!isWithin || (size > ALWAYS_READ && held > MOST_HELD)) throw overloaded()
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

/** The bytes as they came: a signature is over them and nothing else. */
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
    throw error instanceof Refusal ? error : cutOff()
  } finally {
    clearTimeout(late)
  }
}
