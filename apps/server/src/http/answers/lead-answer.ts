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
