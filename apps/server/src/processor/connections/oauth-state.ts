import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CONNECT_MINUTES } from '@tributary/contract'

type StateOwner = { programId: number; sessionId: string }

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/**
 * The OAuth state, valid for one program, one session and ten minutes. Prevents CSRF: a link that another person started cannot
 * connect an account.
 */
export const makeState = (key: Buffer, { programId, sessionId }: StateOwner, at: Date) => {
  const expiresAt = at.getTime() + CONNECT_MINUTES * 60_000
  const text = Buffer.from(JSON.stringify([programId, expiresAt, randomBytes(12).toString('base64url')]))
  const payload = text.toString('base64url')
  return `${payload}.${sign(key, `${payload}.${sessionId}`)}`
}

/** The program it was issued for; null if it is forged, expired or from another session. */
export const readState = (key: Buffer, { state, sessionId }: { state: string; sessionId: string }, at: Date) => {
  const [payload = '', signature = ''] = state.split('.')
  const expected = Buffer.from(sign(key, `${payload}.${sessionId}`))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [programId, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, number]
  return at.getTime() < expiresAt ? programId : null
}
