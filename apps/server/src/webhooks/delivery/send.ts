import { toPublishedEvent } from '../../outbox/read-events.ts'
import { openSecret } from '../../sealed-secrets.ts'
import { bodyOf } from '../body/body.ts'
import type { Post } from '../sending/post.ts'
import { requestHeaders, signatureOf } from '../sending/sign.ts'
import type { Claimed, LaneSettings } from './claim.ts'
import type { Attempt } from './record.ts'
import { GONE, nextPauseMs } from './schedule.ts'

export const webhookIdOf = (messageId: string) => `msg_${messageId.replaceAll('-', '')}`

type Sending = {
  delivery: Claimed
  lane: LaneSettings
  at: Date
  sealKey: Buffer
  post: Post['post']
  signal: AbortSignal
}

/** Sends one delivery. Never throws: whatever goes wrong is the result of the attempt. Null if the service is stopping. */
export const send = async (sending: Sending): Promise<Attempt | null> => {
  try {
    return await trySending(sending)
  } catch {
    const { delivery, lane, at } = sending
    const pauseMs = nextPauseMs({ tries: delivery.tries + 1, retryAfter: null, at, random: Math.random() })
    const nothing = { signature: '', durationMs: 0, status: null, response: null }
    return { delivery, at, url: lane.url, ...nothing, error: 'not_sent', pauseMs }
  }
}

const trySending = async ({ delivery, lane, at, sealKey, post, signal }: Sending): Promise<Attempt | null> => {
  const { programId, eventId, occurredAt } = delivery
  const attempt = { delivery, at, url: lane.url, signature: '', durationMs: 0, status: null, response: null }
  if (!occurredAt) return { ...attempt, error: 'event_expired', pauseMs: null }
  const secrets = [lane.secret, lane.previousSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSecret(sealKey, { programId, sealed }))
    .filter((secret) => secret !== null)
  const pauseMs = (retryAfter: string | null) =>
    nextPauseMs({ tries: delivery.tries + 1, retryAfter, at, random: Math.random() })
  if (secrets.length === 0) return { ...attempt, error: 'secret_unreadable', pauseMs: pauseMs(null) }
  const body = bodyOf({
    ...lane,
    ...delivery,
    event: toPublishedEvent(programId, { ...delivery, id: eventId, occurredAt }),
  })
  const id = webhookIdOf(delivery.messageId)
  const signature = signatureOf({ id, at, body, secrets })
  const { retryAfter, ...answer } = await post({
    url: lane.url,
    headers: requestHeaders({ id, at, signature }),
    body,
    signal,
  })
  if (answer.status === null && signal.aborted) return null
  return { ...attempt, signature, ...answer, pauseMs: answer.status === GONE ? null : pauseMs(retryAfter) }
}
