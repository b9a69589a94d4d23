import { createHmac } from 'node:crypto'
import { networkOf } from './network-of.ts'

const DAY_MS = 86_400_000

/** Distinguishes visitors within a day by their network (network-of.ts), as a bytea literal. */
export type VisitorHash = (ip: string, at: Date) => string

/** The key changes daily: without the secret, the hash cannot be reversed or linked across days. */
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
