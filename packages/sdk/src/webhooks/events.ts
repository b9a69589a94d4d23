/** What every event has in common. */
export type EventEnvelope<Type extends string, Data> = {
  /** `evt_…`, the same in every delivery of this event. */
  id: string
  /** Counts up by one within the program. */
  sequence: number
  type: Type
  /** When it happened, ISO 8601. */
  timestamp: string
  data: Data
  /** For updates: the fields that changed, as `[before, after]`. */
  changes?: { [field: string]: [before: unknown, after: unknown] }
}

export type WebhookEvent = EventEnvelope<string, Record<string, unknown>>
