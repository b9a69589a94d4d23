// The dashboard bundles this file, so it imports only names.
import { AFF_PARAMETER } from './names.ts'

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

/** Whether only the computer or network of a developer reaches the site. */
export const isDevelopmentSite = (address: string) => {
  const host = URL.parse(address)?.hostname ?? ''
  return (
    /^(localhost|\[::1\])$|\.(localhost|local|test)$/.test(host) ||
    /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+){2,3}$/.test(host)
  )
}

/** Compares exact origins, so another subdomain or port does not match. An empty list allows everything. */
export const isOnWebsites = (address: string, websites: readonly string[]) =>
  websites.length === 0 || websites.includes(originOf(address) ?? '')

/** Where a link leads: its own destination, or the home page of the first website. Null if the program has neither. */
export const destinationOf = (destinationUrl: string | null, websites: readonly string[]) =>
  destinationUrl ?? (websites[0] === undefined ? null : `${websites[0]}/`)

type Shared = { aff: string; parameters?: [name: string, value: string][] }

/**
 * A page with `aff` as its first query parameter and others as its last. Keeps the rest of the query and the fragment exactly as they
 * are, because sites may sign or compare them. Null if the page is not an http(s) URL.
 */
export const addressWith = (page: string, { aff, parameters = [] }: Shared) => {
  const url = URL.parse(page)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const replaced = [AFF_PARAMETER, ...parameters.map(([name]) => name)]
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !replaced.some((name) => new URLSearchParams(part).has(name)))
  const written = ([name, value]: [string, string]) => `${name}=${encodeURIComponent(value)}`
  url.search = [written([AFF_PARAMETER, aff]), ...kept, ...parameters.map(written)].join('&')
  return url.href
}
