import type { PartnerStatus } from '@tributary/contract'

const REASONS: Record<string, string> = {
  customer_is_partner: 'the customer appears to be the partner',
  many_leads_from_one_visitor: 'one visitor created many leads',
  unverified_customer: 'only the browser reported the lead and your server has not confirmed it',
}

/** Names the current status if it is still the reason. */
const suspendedText = (status: PartnerStatus) =>
  status === 'suspended' || status === 'rejected'
    ? `the partner is ${status}`
    : 'the partner was not active when it was earned'

export const reviewReasonsText = (reasons: string[], partnerStatus: PartnerStatus) =>
  reasons
    .map((reason) =>
      reason === 'partner_suspended' ? suspendedText(partnerStatus) : (REASONS[reason] ?? reason.replaceAll('_', ' ')),
    )
    .join('; ')
