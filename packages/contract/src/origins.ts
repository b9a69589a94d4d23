/** No library in this file: the dashboard's pages load it too. */

/** The origin of a web address: scheme, host and port, in lower case and with punycode. Null for anything else. */
export const originOf = (address: string) => {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

/** Whether the host of a web address can be a site: it has a dot, or is `localhost` or an IP address. `123` means 0.0.0.123. */
export const namesSite = (address: string) => {
  const host = URL.parse(address)?.hostname ?? ''
  return host === 'localhost' || host.startsWith('[') || (/^[^.]+(\.[^.]+)+$/.test(host) && !host.startsWith('0.'))
}

/** Exact origin: another subdomain or port is another site. An empty list restricts nothing. */
export const isOnWebsites = (address: string, websites: readonly string[]) =>
  websites.length === 0 || websites.includes(originOf(address) ?? '')

/** Where a link leads: its own page, or the home page of the first website. Null where neither is known. */
export const destinationOf = (destinationUrl: string | null, websites: readonly string[]) =>
  destinationUrl ?? (websites[0] === undefined ? null : `${websites[0]}/`)
