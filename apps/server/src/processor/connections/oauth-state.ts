import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CONNECT_MINUTES } from '@tributary/contract'

type Bound = { programId: number; sessionId: string }

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/**
 * The OAuth state, valid for one program, one session and ten minutes. Prevents CSRF: a link that another person started cannot
 * connect an account.
 */
export const makeState = (key: Buffer, { programId, sessionId }: Bound, at: Date) => {
  const expiresAt = at.getTime() + CONNECT_MINUTES * 60_000
  const text = Buffer.from(JSON.stringify([programId, expiresAt, randomBytes(12).toString('base64url')]))
  const words = text.toString('base64url')
  return `${words}.${sign(key, `${words}.${sessionId}`)}`
}

/** The program it was issued for; null if it is forged, expired or from another session. */
export const readState = (key: Buffer, { state, sessionId }: { state: string; sessionId: string }, at: Date) => {
  const [words = '', signature = ''] = state.split('.')
  const expected = Buffer.from(sign(key, `${words}.${sessionId}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [programId, expiresAt] = JSON.parse(Buffer.from(words, 'base64url').toString()) as [number, number]
  return at.getTime() < expiresAt ? programId : null
}
