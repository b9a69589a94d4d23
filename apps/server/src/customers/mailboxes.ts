/** Providers that ignore dots in a name, with the domain that stands for all of theirs. */
const DOTLESS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
  ['proton.me', 'proton.me'],
  ['protonmail.com', 'proton.me'],
  ['pm.me', 'proton.me'],
])

/**
 * One spelling for all addresses of a mailbox, to compare people by; never an address to write to. Null if it is no address. A tag
 * is dropped at every provider, because those without tags allow no `+` in a name.
 */
export const mailboxOf = (email: string | null): string | null => {
  const address = email?.trim().toLowerCase() ?? ''
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1) return null
  const domain = address.slice(at + 1)
  const name = address.slice(0, at).replace(/(?<=.)\+.*$/, '')
  const provider = DOTLESS.get(domain)
  return provider ? `${name.replaceAll('.', '')}@${provider}` : `${name}@${domain}`
}
