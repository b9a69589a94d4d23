import { randomBytes } from 'node:crypto'

const PREFIX = 'erased_'

/** Random, so it cannot match a real key or be traced back to the customer. */
export const newErasedKey = () => PREFIX + randomBytes(20).toString('base64url')

export const isErasedKey = (customerKey: string | null | undefined) => customerKey?.startsWith(PREFIX) ?? false
