import { randomBytes } from 'node:crypto'

/** No lead has such a key by chance, and nobody can find out whose it was: it is made of nothing. */
const PREFIX = 'erased_'

export const newErasedKey = () => PREFIX + randomBytes(20).toString('base64url')

export const isErasedKey = (customerKey: string | null | undefined) => customerKey?.startsWith(PREFIX) ?? false
