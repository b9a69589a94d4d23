import { createHmac } from 'node:crypto'
import { networkOf } from './network-of.ts'

const DAY_MS = 86_400_000

/** Tells visitors of one day apart, by the network of their address (network-of.ts), as a bytea literal. */
export type VisitorHash = (ip: string, at: Date) => string

/** A keyed hash whose key is another one every day: without the secret nobody turns it back or follows it from day to day. */
export const keyedVisitorHash = (secret: string): VisitorHash => {
  let day = Number.NaN
  let key: Buffer = Buffer.alloc(0)
  return (ip, at) => {
    const today = Math.floor(at.getTime() / DAY_MS)
    if (today !== day) {
      day = today
      key = createHmac('sha256', secret)
        .update(`visitors of ${at.toISOString().slice(0, 10)}`)
        .digest()
    }
    return `\\x${new Bun.CryptoHasher('sha256', key).update(networkOf(ip)).digest('hex').slice(0, 32)}`
  }
}
