import { createHash, randomBytes } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const inLetters = (bytes: Uint8Array, length: number) =>
  [...bytes.subarray(0, length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')

/** The same words always give the same identifier, so that a test that is run again says the same. */
export const idFrom = (prefix: string, ...words: (string | number)[]) =>
  `${prefix}_1${inLetters(createHash('sha256').update(JSON.stringify(words)).digest(), 23)}`

/** Something nobody can guess: a payment that no test named, a secret, a code. */
export const randomId = (prefix: string) => `${prefix}_${inLetters(randomBytes(32), 32)}`
