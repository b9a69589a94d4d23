import { createHmac, timingSafeEqual } from 'node:crypto'
import { isTeamKind, type NotificationKind, PARTNER_KINDS, programId } from '@tributary/contract'

/** The purpose of the key that signs them. */
export const UNSUBSCRIBE_LINKS = 'unsubscribe links'

export type Subscription = { programId: number; userId: string; kind: NotificationKind }

const macOf = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)

/** Signed, so that only the recipient of an email can unsubscribe. Does not expire, like the email. */
export const unsubscribeToken = (key: Buffer, { programId: id, kind, userId }: Subscription) => {
  const text = `${id} ${kind} ${userId}`
  return `${Buffer.from(text).toString('base64url')}.${macOf(key, text).toString('base64url')}`
}

/** Null if the token was not made with the key. */
export const readUnsubscribeToken = (key: Buffer, token: string): Subscription | null => {
  const [encoded = '', signature = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  const [expected, given] = [macOf(key, text), Buffer.from(signature, 'base64url')]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [id, kind = '', userId = ''] = text.split(' ')
  const program = programId.safeParse(id)
  const isKnown = isTeamKind(kind) || (PARTNER_KINDS as readonly string[]).includes(kind)
  return program.success && isKnown ? { programId: program.data, kind: kind as NotificationKind, userId } : null
}
