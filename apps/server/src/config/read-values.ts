import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { addressesOf, targetOf } from './database-addresses.ts'
import { StartupError } from './startup-error.ts'

export const readNumber = (name: string, value: string, { from, to }: { from: number; to: number }) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < from || number > to)
    throw new StartupError(`${name} must be a number from ${from} to ${to}, not "${value}".`)
  return number
}

/** A letter first, so that it cannot be confused with the program ID that follows it in a `click_id`. */
export const readCell = (value: string) => {
  if (value !== '' && !/^[a-z][a-z0-9]{0,7}$/.test(value))
    throw new StartupError(
      `CELL must have 1 to 8 lower-case letters and digits, starting with a letter, such as eu1, not "${value}".`,
    )
  return value
}

export const readHost = (value: string) => {
  if (!isIP(value) && !/^[a-z\d.-]+$/i.test(value)) {
    throw new StartupError(`HOST must be an IP address or a host name, not "${value}".`)
  }
  return value
}

export const readAddress = (name: string, value: string) => {
  const url = URL.canParse(value) ? new URL(value) : null
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  ) {
    throw new StartupError(`${name} must be a URL without a path, such as https://track.example.com, not "${value}".`)
  }
  return url.origin
}

type Credential = { shape: RegExp; label: string; place: string }

/** Null if it is not set. The message omits the value, which may be a secret in the wrong variable. */
export const readCredential = (
  env: Record<string, string | undefined>,
  name: string,
  { shape, label, place }: Credential,
) => {
  const value = env[name]
  if (!value) return null
  if (!shape.test(value) || /change.?me|placeholder|x{6}/i.test(value))
    throw new StartupError(`${name} is not a valid ${label} value. Copy it from ${place}.`)
  return value
}

/** The message omits the value, which can contain a password. */
export const readDatabaseUrl = (name: string, value: string, { isPrimary = true } = {}) => {
  // Postgres accepts a URL without a host (a Unix socket given as ?host=); the URL parser does not.
  const canParse = (address: string) => URL.canParse(address.replace(/^(\w+:\/\/)([^/@]*@)?\//, '$1$2localhost/'))
  if (!/^postgres(ql)?:\/\//.test(value) || !addressesOf(value).every(canParse))
    throw new StartupError(
      `${name} must look like postgres://user:password@host:5432/database. Separate several hosts with commas.`,
    )
  if (!isPrimary && addressesOf(value).length > 1)
    throw new StartupError(`${name} names several hosts. Name one replica, or an address that leads to one.`)
  if (!isPrimary) return value
  const target = targetOf(value)
  if (target !== undefined && target !== 'read-write' && target !== 'primary')
    throw new StartupError(
      `${name} has target_session_attrs=${target}. Use read-write: Tributary works only on the server that accepts writes.`,
    )
  return value
}

export const readSwitch = (
  name: string,
  value: string | undefined,
  words: { on: string; off: string; unset: boolean },
) => {
  if (!value) return words.unset
  if (value !== words.on && value !== words.off) {
    throw new StartupError(`${name} must be ${words.on} or ${words.off}, not "${value}".`)
  }
  return value === words.on
}

/** IP addresses and ranges, separated by commas. */
export const readAddresses = (name: string, value: string) => {
  const addresses = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const wrong = addresses.find((address) => !isAddressOrRange(address))
  if (wrong) throw new StartupError(`${name} must be IP addresses or ranges such as 10.0.0.0/8, not "${wrong}".`)
  return addresses
}

const isAddressOrRange = (value: string) => {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export const readDatabaseFile = (name: string, value: string | undefined) => {
  if (!value) return null
  if (!existsSync(value)) throw new StartupError(`${name} points to a file that does not exist: ${value}.`)
  return resolve(value)
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const readLogLevel = (value: string) => {
  if (!LOG_LEVELS.includes(value))
    throw new StartupError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${value}".`)
  return value
}

const MIN_SECRET_LENGTH = 32

/** Random text of this length has well over ten distinct characters; "xxxx…" and "changeme" do not. */
export const isSecureSecret = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length >= MIN_SECRET_LENGTH &&
  new Set(value).size >= 10 &&
  !/change.?me|placeholder/i.test(value)
