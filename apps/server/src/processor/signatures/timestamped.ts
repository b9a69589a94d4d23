import type { Delivery } from '../port.ts'
import { hmac, isCurrent, isSame } from './hmac.ts'

/** How a header such as `t=1793000000,v1=hex,v1=hex` is written, and what joins time and body in the signed text. */
type Format = { header: string; separator: string; time: string; hash: string; joint: string }

/** Signatures over time and body, with one hash for each secret while it is rotated, in any order. */
export const timestampedSignature = ({ header, separator, time, hash, joint }: Format) => {
  const signatureIn = (headers: Headers) => {
    const parts = (headers.get(header) ?? '').split(separator).map((part) => part.trim())
    const valuesOf = (name: string) =>
      parts.flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []))
    const [seconds = '', ...others] = valuesOf(time)
    const hashes = valuesOf(hash).filter((value) => /^[0-9a-f]{64}$/i.test(value))
    return { seconds, hashes: others.length > 0 ? [] : hashes }
  }
  return {
    isPlausible: (headers: Headers, at: Date) => {
      const { seconds, hashes } = signatureIn(headers)
      return isCurrent(seconds, at) && hashes.length > 0
    },
    isSignedWith: (secret: string, { raw, headers, at }: Delivery) => {
      const { seconds, hashes } = signatureIn(headers)
      if (!isCurrent(seconds, at)) return false
      const expected = hmac({ key: secret, parts: [`${seconds}${joint}`, raw] })
      return hashes.some((value) => isSame(expected, Buffer.from(value, 'hex')))
    },
  }
}
