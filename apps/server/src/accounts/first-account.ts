import { timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Database } from '../database/connect.ts'
import { deriveKey, type Secrets } from '../secrets.ts'

/**
 * Proves that the holder can read the startup output. Derived from the instance's secrets, so every process knows it and it
 * survives a restart. Once the first account exists, it is useless.
 */
export const deriveSetupToken = (secrets: Pick<Secrets, 'hashKey'>) =>
  deriveKey(secrets, 'set-up token').subarray(0, 18).toString('base64url')

const matchesToken = (given: unknown, token: string) => {
  if (typeof given !== 'string') return false
  const [actual, expected] = [Buffer.from(given), Buffer.from(token)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const isLoopbackAddress = (ip: string | null) => ip === '::1' || (ip !== null && isIPv4(ip) && ip.startsWith('127.'))

/** Guards against DNS rebinding: a page on evil.example that resolves to this machine still sends its own host name. */
const isLoopbackHost = (host: string | null) => {
  const name = URL.parse(`http://${host}/`)?.hostname ?? ''
  return name === 'localhost' || name === '[::1]' || isLoopbackAddress(name)
}

/** Behind a local proxy every visitor looks local; most proxies set one of these headers. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

type Caller = { clientIp: string | null; headers: Headers }

/** Whether the call came directly from the machine the service runs on. */
export const isFromThisMachine = ({ clientIp, headers }: Caller) =>
  isLoopbackAddress(clientIp) && isLoopbackHost(headers.get('host')) && !FORWARDED.some((name) => headers.has(name))

type Proof = { given: unknown; token: string; baseUrl: string }

/**
 * Whether this caller may create the first account. With a public base URL only the token counts, because a local proxy might
 * add no headers.
 */
export const mayBeFirst = (caller: Caller, { given, token, baseUrl }: Proof) =>
  matchesToken(given, token) || (isLoopbackHost(URL.parse(baseUrl)?.host ?? null) && isFromThisMachine(caller))

export type SetupState = 'empty' | 'demo' | 'in use'

/** Whether the instance has no accounts, only the demo account, or real ones. */
export const readSetupState = async (db: Database): Promise<SetupState> => {
  const kinds = await db.selectFrom('users').select('isDemo').distinct().execute()
  if (kinds.some(({ isDemo }) => !isDemo)) return 'in use'
  return kinds.length > 0 ? 'demo' : 'empty'
}
