import type { EventType } from '@tributary/contract'
import type { RecordedLead } from '../../tracking/leads/record-lead.ts'

export const leadAnswer = (lead: RecordedLead) => {
  switch (lead.outcome) {
    case 'provisional':
      return { success: true, click_id: lead.clickId, provisional: true }
    case 'duplicate_in_browser':
      return { success: true, click_id: lead.clickId, duplicate: true }
    default: {
      const { leadId, customerKey, clickId } = lead
      const duplicate = lead.outcome === 'duplicate' ? true : undefined
      return { success: true, lead_id: leadId, customer_key: customerKey, click_id: clickId, duplicate }
    }
  }
}

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
