import { createHash } from 'node:crypto'

const LOWERCASE = '0123456789abcdefghjkmnpqrstvwxyz'
const MIXED_CASE = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type Words = (string | number)[]

const digestOf = (words: Words) => createHash('sha256').update(JSON.stringify(words)).digest()

const lettersFrom = (alphabet: string, length: number, words: Words) =>
  [...digestOf(words).subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('')

/** `txn_01…` with 26 characters, as `^txn_[a-z\d]{26}$` requires. */
export const paddleId = (prefix: string, ...words: Words) => `${prefix}_01${lettersFrom(LOWERCASE, 24, words)}`

/** `pay_0N…` with 21 characters. */
export const dodoId = (prefix: string, ...words: Words) => `${prefix}_0N${lettersFrom(MIXED_CASE, 19, words)}`

export const messageId = (...words: Words) => `msg_2${lettersFrom(MIXED_CASE, 26, words)}`

export const uuidFrom = (...words: Words) => {
  const hex = digestOf(words).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Ten digits, so that those of a hundred thousand payments differ. Ids of different kinds of object may be equal, as at Lemon Squeezy. */
export const numberFrom = (...words: Words) => 1_000_000_000 + (digestOf(words).readUIntBE(0, 6) % 9_000_000_000)
