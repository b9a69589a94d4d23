import type { Delivery } from '../port.ts'
import { hmac, isCurrent, isSame } from '../signatures/hmac.ts'

/** `Paddle-Signature: ts=…;h1=…`, with one `h1` for each secret while it is rotated, in any order. */
const signatureIn = (headers: Headers) => {
  const parts = (headers.get('paddle-signature') ?? '').split(';').map((part) => part.trim())
  const valuesOf = (name: string) =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []))
  const [seconds = '', ...others] = valuesOf('ts')
  const hashes = valuesOf('h1').filter((hash) => /^[0-9a-f]{64}$/i.test(hash))
  return { seconds, hashes: others.length > 0 ? [] : hashes }
}

export const isPlausible = (headers: Headers, at: Date) => {
  const { seconds, hashes } = signatureIn(headers)
  return isCurrent(seconds, at) && hashes.length > 0
}

/** Paddle's own library checks only the last `h1` and accepts any time in the future. */
export const isSignedWith = (secret: string, { raw, headers, at }: Delivery) => {
  const { seconds, hashes } = signatureIn(headers)
  if (!isCurrent(seconds, at)) return false
  const expected = hmac({ key: secret, parts: [`${seconds}:`, raw] })
  return hashes.some((hash) => isSame(expected, Buffer.from(hash, 'hex')))
}
