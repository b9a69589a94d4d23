import type { EventType } from '@tributary/contract'

const MESSAGES = {
  click: 'Test click received. The pageview step is complete.',
  lead: 'Test lead received. The referrals step is complete.',
  sale: 'Test sale received. No money was recorded.',
}

/** The response of every tracking call in test mode. */
export const testAnswer = (eventType: EventType, { eventId, programId }: { eventId: number; programId: number }) => ({
  success: true,
  message: MESSAGES[eventType],
  data: { eventId, programId, test_mode: true },
})
