import { isIPv6 } from 'node:net'

const GROUPS = 8
const MAPPED = ['0', '0', '0', '0', '0', 'ffff']

/**
 * Who counts as one visitor, for rate limits and review rules: an IPv4 address, or the /64 of an IPv6 address, because whoever
 * has one address of a /64 has all of them. IPv4 mapped into IPv6 is the IPv4 address.
 */
export const networkOf = (ip: string) => {
  if (!ip.includes(':') || !isIPv6(ip)) return ip
  const groups = groupsOf(ip)
  const isMapped = MAPPED.every((group, place) => groups[place] === group)
  return isMapped ? dotted(groups.slice(MAPPED.length)) : groups.slice(0, 4).join(':')
}

/** Who a call without a key is counted for. Callers whose address is unknown share one limit. */
export const callerNetwork = (ip: string | null) => (ip ? networkOf(ip) : 'unknown')

/** All eight groups without leading zeros, whichever way the address is written. */
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

const dotted = (groups: string[]) =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
