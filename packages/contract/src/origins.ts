// The dashboard bundles this file, so it imports nothing.

/** The origin of an http(s) URL (scheme, host and port), or null. */
export const originOf = (address: string) => {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

/** Whether the host can be a website: a domain with a dot, `localhost` or an IP address. `123` parses as 0.0.0.123, so it is not. */
export const hasSiteHost = (address: string) => {
  const host = URL.parse(address)?.hostname ?? ''
  return host === 'localhost' || host.startsWith('[') || (/^[^.]+(\.[^.]+)+$/.test(host) && !host.startsWith('0.'))
}

/** Compares exact origins, so another subdomain or port does not match. An empty list allows everything. */
export const isOnWebsites = (address: string, websites: readonly string[]) =>
  websites.length === 0 || websites.includes(originOf(address) ?? '')

/** Where a link leads: its own destination, or the home page of the first website. Null if the program has neither. */
export const destinationOf = (destinationUrl: string | null, websites: readonly string[]) =>
  destinationUrl ?? (websites[0] === undefined ? null : `${websites[0]}/`)
