import { createHash, randomBytes } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const inLetters = (bytes: Uint8Array, length: number) =>
  [...bytes.subarray(0, length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')

/** Deterministic, so that tests are repeatable. */
export const idFrom = (prefix: string, ...words: (string | number)[]) =>
  `${prefix}_1${inLetters(createHash('sha256').update(JSON.stringify(words)).digest(), 23)}`

/** Unguessable: for secrets, codes and unnamed payments. */
export const randomId = (prefix: string) => `${prefix}_${inLetters(randomBytes(32), 32)}`
