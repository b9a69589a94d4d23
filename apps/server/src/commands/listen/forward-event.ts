import { createHmac } from 'node:crypto'
import { TIMEOUT_MS } from '../../webhooks/sending/post.ts'
import { requestHeaders, signatureOf } from '../../webhooks/sending/sign.ts'
import type { Followed } from './follow-events.ts'

/** Derived from the API key: the same after a restart, and it does not reveal the key. */
export const secretFor = (apiKey: string) =>
  `whsec_${createHmac('sha256', 'tributary listen').update(apiKey).digest().subarray(0, 24).toString('base64')}`

type Target = { forwardTo: string; secret: string; signal: AbortSignal }

/** Sends one event, signed by Standard Webhooks, and says how the receiver answered. */
export const forwardEvent = async ({ id, json }: Followed, { forwardTo, secret, signal }: Target): Promise<string> => {
  const startedAt = performance.now()
  try {
    const response = await fetch(forwardTo, {
      method: 'POST',
      headers: { ...sign(id, json, secret), 'user-agent': 'tributary-listen' },
      body: json,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return `${response.status} (${Math.round(performance.now() - startedAt)} ms)`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`
    return 'failed: cannot connect. Is your receiver running?'
  }
}

const sign = (id: string, body: string, secret: string) => {
  const at = new Date()
  return requestHeaders({ id, at, signature: signatureOf({ id, at, body, secrets: [secret] }) })
}
