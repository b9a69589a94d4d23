import { createHmac } from 'node:crypto'

export type KeptEmail = { hash: Buffer; masked: string }

/** An address is kept so that two can be compared and a person can recognise theirs, and in no other form. */
export const keepEmail = (hashKey: string, email: string | null): KeptEmail | null => {
  const address = email?.trim().toLowerCase() ?? ''
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1) return null
  const [first = ''] = address
  return { hash: createHmac('sha256', hashKey).update(address).digest(), masked: `${first}***${address.slice(at)}` }
}
