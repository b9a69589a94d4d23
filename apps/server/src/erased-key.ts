import { randomBytes } from 'node:crypto'

/** Random, so it matches no real key and cannot be traced back to the customer. */
const PREFIX = 'erased_'

export const newErasedKey = () => PREFIX + randomBytes(20).toString('base64url')

export const isErasedKey = (customerKey: string | null | undefined) => customerKey?.startsWith(PREFIX) ?? false
