import { timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { keyFor, type Secrets } from '../secrets.ts'

/**
 * Proof that the holder can read what the start has printed. It follows from the secrets of the instance, so every process
 * knows it and it survives a restart; once the first account exists it opens nothing.
 */
export const setUpTokenFrom = (secrets: Pick<Secrets, 'hashKey'>) =>
  keyFor(secrets, 'set-up token').subarray(0, 18).toString('base64url')

const isToken = (given: unknown, token: string) => {
  if (typeof given !== 'string') return false
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const isLoopbackAddress = (ip: string | null) => ip === '::1' || (ip !== null && isIPv4(ip) && ip.startsWith('127.'))

/** A name that no other site can have: a page of evil.example that resolves to this machine still sends its own name. */
const isLoopbackHost = (host: string | null) => {
  const name = URL.parse(`http://${host}/`)?.hostname ?? ''
  return name === 'localhost' || name === '[::1]' || isLoopbackAddress(name)
}

/** A proxy on this machine makes every visitor look local; most say so in one of these. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

type Caller = { clientIp: string | null; headers: Headers }

/** A call from the machine that the service runs on, made to it directly. */
export const isFromThisMachine = ({ clientIp, headers }: Caller) =>
  isLoopbackAddress(clientIp) && isLoopbackHost(headers.get('host')) && !FORWARDED.some((name) => headers.has(name))

type Proof = { given: unknown; token: string; baseUrl: string }

/**
 * Whether this caller may create the account that an instance begins with, while there is none. An instance with a public
 * address may be behind a proxy on this machine that adds no header, so there only the token counts.
 */
export const mayBeFirst = (caller: Caller, { given, token, baseUrl }: Proof) =>
  isToken(given, token) || (isLoopbackHost(URL.parse(baseUrl)?.host ?? null) && isFromThisMachine(caller))
