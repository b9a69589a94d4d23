import { BlockList, isIP, isIPv4 } from 'node:net'

const family = (ip: string) => (isIP(ip) === 6 ? 'ipv6' : 'ipv4')

/** Dual-stack sockets show IPv4 peers as `::ffff:192.0.2.1`, and a forwarded address may have a port or brackets. */
const normalize = (address: string) => {
  // Fast path for most addresses.
  if (isIPv4(address)) return address
  const bare = address
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(mapped) ? mapped : null
}

export type ClientIp = (peer: string | null, forwardedFor: string | null) => string | null

/**
 * The socket's address, unless it is a trusted proxy: then the right-most `X-Forwarded-For` entry that is not a trusted proxy.
 * Entries further left come from the visitor and prove nothing.
 */
export const createClientIp = (trustedProxies: string[]): ClientIp => {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    if (prefix === undefined) trusted.addAddress(address, family(address))
    else trusted.addSubnet(address, Number(prefix), family(address))
  }
  const isTrusted = (ip: string) => trusted.check(ip, family(ip))

  return (peer, forwardedFor) => {
    const socket = peer ? normalize(peer) : null
    if (!socket || trustedProxies.length === 0 || !isTrusted(socket) || !forwardedFor) return socket
    const hops = forwardedFor.split(',').map(normalize).reverse()
    let last = socket
    for (const hop of hops) {
      // If a trusted proxy sent an invalid entry, use the proxy's address.
      if (!hop) return last
      if (!isTrusted(hop)) return hop
      last = hop
    }
    return last
  }
}
