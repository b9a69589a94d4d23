import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { ClientIp } from './client-ip.ts'

const MINUTE_MS = 60_000
/** Proxies are mostly in a private network. Any other peer may be a visitor, whose address does not belong in a log. */
const PRIVATE = /^(::ffff:)?(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^(::1$|f[cd])/i
/** Not a private address, so a trusted peer that forwards it is not skipped as another proxy. */
const PROBE = '192.0.2.1'

type Settings = { clientIp: ClientIp; log: Log } & Pick<Config, 'baseUrl'>
type Forwarded = { peer: string | null; forwardedFor: string | null; forwardedProto: string | null }

/** Warns about a proxy that the settings do not fit, each mistake at most once a minute. Anyone can send these headers. */
export const createProxyWarnings = ({ clientIp, log, baseUrl }: Settings) => {
  const warnedAt = new Map<string, number>()
  const warn = (mistake: string, sentence: string) => {
    const now = performance.now()
    if (now - (warnedAt.get(mistake) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return
    warnedAt.set(mistake, now)
    log.warn(sentence)
  }
  return ({ peer, forwardedFor, forwardedProto }: Forwarded) => {
    if (forwardedFor && peer && clientIp(peer, PROBE) !== PROBE) {
      const from = PRIVATE.test(peer) ? peer.replace(/^::ffff:/i, '') : 'an address that TRUSTED_PROXIES does not list'
      warn(
        'proxy',
        `X-Forwarded-For arrived from ${from} and was ignored. If that is your proxy, add it to TRUSTED_PROXIES; until then all its visitors count as one.`,
      )
    }
    if (forwardedProto === 'https' && baseUrl.startsWith('http:'))
      warn(
        'https',
        `A proxy received a request over https, but BASE_URL is ${baseUrl}. Set BASE_URL to the https address, or session cookies are sent without encryption too.`,
      )
  }
}
