import { isIPv6 } from 'node:net'

const GROUPS = 8
const MAPPED = ['0', '0', '0', '0', '0', 'ffff']

/**
 * The unit that counts as one visitor for rate limits and review rules: an IPv4 address, or an IPv6 /64, because a subscriber
 * controls a whole /64. IPv4-mapped IPv6 addresses count as IPv4.
 */
export const networkOf = (ip: string) => {
  if (!ip.includes(':') || !isIPv6(ip)) return ip
  const groups = groupsOf(ip)
  const isMapped = MAPPED.every((group, index) => groups[index] === group)
  return isMapped ? toDottedQuad(groups.slice(MAPPED.length)) : groups.slice(0, 4).join(':')
}

/** The rate limit key of a call without an API key. Callers with unknown addresses share one limit. */
export const callerNetwork = (ip: string | null) => (ip ? networkOf(ip) : 'unknown')

/** All eight groups without leading zeros, in any notation. */
const groupsOf = (ip: string) => {
  const [address = ''] = ip.split('%')
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = [], tail = []] = hex.split('::').map((part) => (part ? part.split(':') : []))
  const missing = Array<string>(GROUPS - head.length - tail.length).fill('0')
  return [...head, ...missing, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}

const toDottedQuad = (groups: string[]) =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
