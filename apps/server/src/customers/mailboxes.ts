import { domainToASCII } from 'node:url'

/** The domain that stands for all domains of a provider. */
const PROVIDERS = new Map([
  ['googlemail.com', 'gmail.com'],
  ['protonmail.com', 'proton.me'],
  ['pm.me', 'proton.me'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
  ['ya.ru', 'yandex.ru'],
  ['yandex.com', 'yandex.ru'],
])

/** Providers that ignore dots in a name. */
const DOTLESS = new Set(['gmail.com', 'proton.me'])

/** The address in a text such as `Me <me@shop.example>` or `mailto:me@shop.example`, without invisible characters and spaces. */
export const addressIn = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\s]/gu, '')
    .toLowerCase()
    .replace(/^.*<([^<>]*)>$/, '$1')
    .replace(/^mailto:([^?]*).*$/, '$1')

/**
 * One spelling for all addresses of a mailbox, to compare people by; never an address to write to. Null if it is no address. A tag
 * is dropped at every provider, because those without tags allow no `+` in a name.
 */
export const mailboxOf = (email: string | null): string | null => {
  const address = addressIn(email ?? '')
  const at = address.lastIndexOf('@')
  const name = address
    .slice(0, Math.max(at, 0))
    .replace(/["\\]/g, '')
    .replace(/(?<=.)\+.*$/, '')
  const domain = address.slice(at + 1)
  const host = (domainToASCII(domain) || domain).replace(/\.+$/, '')
  if (name === '' || host === '') return null
  const provider = PROVIDERS.get(host) ?? host
  return `${(DOTLESS.has(provider) && name.replaceAll('.', '')) || name}@${provider}`
}
