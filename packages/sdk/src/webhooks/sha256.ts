/**
 * HMAC-SHA-256 (RFC 2104, FIPS 180-4). Web Crypto has it too, but only asynchronously, and Node 18 does not expose it. A synchronous
 * `verifyWebhook` cannot be called without `await` by mistake, which would accept every forged event.
 */
export const hmacSha256 = (key: Uint8Array, message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key)
  const inner = sha256(join(pad(block, 0x36), message))
  return sha256(join(pad(block, 0x5c), inner))
}

const BLOCK_BYTES = 64

const pad = (block: Uint8Array, byte: number) => block.map((value) => value ^ byte)

const join = (first: Uint8Array, second: Uint8Array) => {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0

const isPrime = (number: number) => {
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) return false
  return true
}

const firstPrimes = (count: number) => {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number += 1) if (isPrime(number)) primes.push(number)
  return primes
}

const PRIMES = firstPrimes(64)
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

const sha256 = (message: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, message.length << 3)
  const state = INITIAL.slice()
  const words = new Int32Array(64)
  for (let offset = 0; offset < padded.length; offset += BLOCK_BYTES) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(offset + 4 * index)
    compress(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(4 * index, word)
  return new Uint8Array(digest.buffer)
}

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

/** Mixes one block, whose 16 words are at the start of `words`, into the state. */
const compress = (state: Int32Array, words: Int32Array) => {
  const at = (index: number) => words[index] as number
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(index - 15), at(index - 2)]
    const small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = at(index - 16) + small0 + at(index - 7) + small1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let index = 0; index < 64; index += 1) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (ROUNDS[index] as number) + at(index)) | 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + value
}
