import http from 'node:http'
import https from 'node:https'
import { MAX_WEBHOOK_RESPONSE_BYTES, WEBHOOK_TIMEOUT_SECONDS } from '@tributary/contract'
import type { AttemptError } from '../delivery/attempt-errors.ts'
import { type AddressRules, portOf } from './public-addresses.ts'

export const TIMEOUT_MS = WEBHOOK_TIMEOUT_SECONDS * 1_000
/** Idle connections are kept this long. */
const IDLE_MS = 10_000
const MAX_IDLE_PER_HOST = 20
/** Responses before the final one, such as "103 Early Hints". Each takes time, and a hostile receiver sends them forever. */
const MAX_INFORMATIONAL = 10

export type PostResult = {
  /** Null without an answer. */
  status: number | null
  /** Null if there was an answer. */
  error: AttemptError | null
  response: string | null
  retryAfter: string | null
  durationMs: number
}

type Request = { url: string; headers: Record<string, string>; body: string; signal?: AbortSignal }

/** The only code that calls addresses that users enter. Redirects are not followed. Tests have less time. */
export const createPost = (rules: AddressRules, timeoutMs = TIMEOUT_MS) => {
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_IDLE_PER_HOST }
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }

  const post = async ({ url: text, ...request }: Request): Promise<PostResult> => {
    const startedAt = performance.now()
    const url = new URL(text)
    if (rules.refuses(url)) return { ...FAILED, error: 'address_refused', durationMs: 0 }
    const options = { ...request, lookup: rules.lookupFor(portOf(url)), timeoutMs }
    const agent = agents[url.protocol as keyof typeof agents]
    const first = await send(url, { ...options, agent })
    // The endpoint closed an idle connection while we were using it again, so it has probably not read the request.
    const answer = first === 'stale' ? await send(url, { ...options, agent: false }) : first
    const durationMs = Math.round(performance.now() - startedAt)
    return { ...(answer === 'stale' ? { ...FAILED, error: 'connection_failed' } : answer), durationMs }
  }

  const close = () => {
    for (const agent of Object.values(agents)) agent.destroy()
  }
  return { post, close }
}

export type Post = ReturnType<typeof createPost>

type Answer = Omit<PostResult, 'durationMs'>
const FAILED: Answer = { status: null, error: 'connection_failed', response: null, retryAfter: null }

type SendOptions = Pick<Request, 'headers' | 'body' | 'signal'> &
  Pick<http.RequestOptions, 'agent' | 'lookup'> & { timeoutMs: number }

const send = async (url: URL, { body, signal, timeoutMs, ...options }: SendOptions) => {
  const { promise, resolve } = Promise.withResolvers<Answer | 'stale'>()
  const { request } = url.protocol === 'https:' ? https : http
  const sent = request(url, { method: 'POST', ...options }, (answer) => {
    const status = answer.statusCode ?? null
    const retryAfter = answer.headers['retry-after'] ?? null
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = () => {
      const response = Buffer.concat(chunks).subarray(0, MAX_WEBHOOK_RESPONSE_BYTES)
      resolve({ status, error: null, retryAfter, response: readable(response) })
    }
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      // More is not read, even if it means a new connection for the next request.
      if (bytes > MAX_WEBHOOK_RESPONSE_BYTES) {
        finish()
        sent.destroy()
      }
    })
    // An answer that breaks off still has its status.
    answer.on('end', finish).on('error', finish).on('close', finish)
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    resolve(isStale ? 'stale' : { ...FAILED, error: codeOf(error) })
  })
  let informational = 0
  sent.on('information', () => {
    informational++
    if (informational <= MAX_INFORMATIONAL) return
    resolve(FAILED)
    sent.destroy()
  })
  sent.end(body)
  // Cleared with the answer: signals with a timeout would pile up for its whole length.
  // Also resolves, because a request that was answered with another protocol (101) emits nothing more.
  const cutOff = () => {
    sent.destroy(new CutOff('cut off'))
    resolve({ ...FAILED, error: 'timeout' })
  }
  const timer = setTimeout(cutOff, timeoutMs)
  const onStop = cutOff
  signal?.addEventListener('abort', onStop)
  const answer = await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', onStop)
  return answer
}

class CutOff extends Error {}

/** Postgres text cannot hold NUL, and cutting can leave half a character at the end. */
const readable = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\uFFFD$/, '') || null

const codeOf = (error: NodeJS.ErrnoException): AttemptError => {
  const { code = '', message } = error
  if (error instanceof CutOff || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'EADDRREFUSED') return 'address_refused'
  if (['ENOTFOUND', 'EAI_AGAIN', 'DNS_ENOTFOUND', 'ENODATA'].includes(code)) return 'name_not_found'
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code) || /certificate/i.test(message)) return 'tls_failed'
  return 'connection_failed'
}
