import { randomBytes } from 'node:crypto'

/** "Ada Lovelace" becomes `ada-lovelace`, with a random suffix after the first attempt. */
export const generateCode = (name: string, attempt: number) => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24)
  const suffix = randomBytes(3).toString('hex')
  if (words.length < 2) return `partner-${suffix}`
  return attempt === 1 ? words : `${words}-${suffix}`
}
