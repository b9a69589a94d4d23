import type { EventType } from '@tributary/contract'

const NEXT = {
  click: 'Test click received. The pageview step is complete.',
  lead: 'Test lead received. The referrals step is complete.',
  sale: 'Test sale received. No money was recorded.',
}

/** What every tracking call answers in test mode. */
export const testAnswer = (eventType: EventType, { eventId, programId }: { eventId: number; programId: number }) => ({
  success: true,
  message: NEXT[eventType],
  data: { eventId, programId, test_mode: true },
})
