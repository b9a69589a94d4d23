import { StartupError } from './startup-error.ts'

/** The team's identity provider (OpenID Connect). */
export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Shown on the button: "Continue with <name>". */
  name: string
  /** Email domains that may sign in; empty allows all. */
  allowedDomains: string[]
}

export const readOidc = (env: Record<string, string | undefined>): OidcSettings | null => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (!issuer && !clientId && !clientSecret) return null
  if (!issuer || !clientId || !clientSecret)
    throw new StartupError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.')
  return {
    issuer: readIssuer(issuer),
    clientId,
    clientSecret,
    name: env.OIDC_NAME || 'single sign-on',
    allowedDomains: readDomains(env.OIDC_ALLOWED_DOMAINS || ''),
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Tokens and the client secret travel to it, so it needs TLS unless it is on the same machine. */
const readIssuer = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
  if (!url || !isSafe || url.search || url.hash || url.username || url.password)
    throw new StartupError(`OIDC_ISSUER must be an https URL such as https://login.example.com, not "${value}".`)
  return value
}

const readDomains = (value: string) => {
  const domains = value
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean)
  const wrong = domains.find((domain) => !/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain))
  if (wrong) throw new StartupError(`OIDC_ALLOWED_DOMAINS must be domains such as example.com, not "${wrong}".`)
  return domains
}
