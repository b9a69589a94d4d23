import { idFrom } from './ids.ts'
import { API_VERSIONS, type Generation } from './payment.ts'
import type { WireObject } from './shapes.ts'

export type ProcessorEvent = {
  id: string
  object: 'event'
  /** Set only in events that a platform receives about a connected account. */
  account?: string
  api_version: string
  created: number
  data: { object: WireObject; previous_attributes?: WireObject }
  livemode: boolean
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

type NewEvent = {
  type: string
  object: WireObject
  previous?: WireObject
  at: number
  livemode: boolean
  generation: Generation
}

/** The ID is derived from the content, so the same input gives the same event. */
export const newEvent = ({ type, object, previous, at, livemode, generation }: NewEvent): ProcessorEvent => ({
  id: idFrom('evt', type, at, JSON.stringify(object)),
  object: 'event',
  api_version: API_VERSIONS[generation],
  created: at,
  data: { object, ...(previous && { previous_attributes: previous }) },
  livemode,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
})

/** The event as a platform receives it. */
export const asSeenByPlatform = (event: ProcessorEvent, account: string): ProcessorEvent => {
  const { id, object, ...rest } = event
  return { id, object, account, ...rest }
}
