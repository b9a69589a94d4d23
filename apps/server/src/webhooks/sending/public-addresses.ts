import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Ports that every endpoint may use. */
const PORTS = [80, 443]

/** The platform service of Azure's machines, on an address that looks public. */
const METADATA = '168.63.129.16'

/** Every address that is in use on the internet. Outside are old ways to write IPv4 addresses, such as ::7f00:1. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** IPv4 in IPv6 notation becomes IPv4, because the same address can be written both ways. */
const parse = (address: string) => ipaddr.process(address)

/** Anything that is not plainly on the internet: private, local, mapped, translated, multicast and reserved addresses. */
const isPublic = (address: string) => {
  const parsed = parse(address)
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6)) return false
  return parsed.range() === 'unicast' && parsed.toString() !== METADATA
}

type Resolve = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export class AddressRefused extends Error {
  readonly code = 'EADDRREFUSED'
}

/** `allowed`: addresses and ranges from `WEBHOOK_ALLOW_HOSTS`. Tests bring their own names. */
export const addressRules = (allowed: string[], resolve: Resolve = lookup) => {
  const ranges = allowed.map((text) => {
    const isRange = text.includes('/')
    const [address, bits] = isRange ? ipaddr.parseCIDR(text) : wholeAddress(text)
    return { address, bits }
  })

  const isAllowed = (address: string) => {
    const parsed = parse(address)
    return ranges.some((range) => range.address.kind() === parsed.kind() && parsed.match(range.address, range.bits))
  }

  const mayCall = (address: string, port: number) =>
    ipaddr.isValid(address) && (isAllowed(address) || (isPublic(address) && PORTS.includes(port)))

  /**
   * Whether the URL can be refused without resolving its host. A host that is written as an address never reaches `lookup`, so it is
   * checked here; the URL parser has already turned decimal, octal and hexadecimal forms into the usual one.
   */
  const refuses = (url: URL) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host)) return !mayCall(host, portOf(url))
    // Only an allowed address may use another port, and a name is known to have one only after it is resolved.
    return ranges.length === 0 && !PORTS.includes(portOf(url))
  }

  /** Resolves a name when connecting, and hands out only addresses that may be called: a name can change its answer at any time. */
  const lookupFor =
    (port: number): LookupFunction =>
    (host, options, callback) =>
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [])
        const good = addresses.filter(({ address }) => mayCall(address, port))
        const [first] = good
        if (!first) return callback(new AddressRefused(`${host} has no address that may be called`), [])
        if (options.all) callback(null, good)
        else callback(null, first.address, first.family)
      })

  return { refuses, lookupFor }
}

export type AddressRules = ReturnType<typeof addressRules>

const wholeAddress = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const address = parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

export const portOf = (url: URL) => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
