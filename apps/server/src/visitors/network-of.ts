import { BlockList, isIPv6 } from 'node:net'

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

const LOCAL = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  LOCAL.addSubnet(address, bits)
for (const [address, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  LOCAL.addSubnet(address, bits, 'ipv6')

/** Whether the address is one of the internet, so that one network has it. */
export const isPublicAddress = (ip: string) => !LOCAL.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
