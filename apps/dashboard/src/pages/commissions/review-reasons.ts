import type { PartnerStatus } from '@tributary/contract'
import { SELF_REFERRAL_TEXTS, type SelfReferralMatch } from '@tributary/contract/self-referral'
import { formatList } from '~/components/format/format.ts'

const REASONS: Record<string, string> = {
  click_from_ad: 'the click came from an ad',
  many_leads_from_one_visitor: 'one visitor created many leads',
  sale_soon_after_click: 'the sale followed the click very soon',
  unverified_customer: 'only the browser reported the lead and your server has not confirmed it',
}

/** Names the current status if it is still the reason. */
const suspendedText = (status: PartnerStatus) =>
  status === 'suspended' || status === 'rejected'
    ? `the partner is ${status}`
    : 'the partner was not active when it was earned'

/** Reviews from before matches were stored have none. */
const ownText = (matches: SelfReferralMatch[]) => {
  const how = formatList(matches.map((match) => SELF_REFERRAL_TEXTS[match]))
  return `the customer appears to be the partner${how && `: ${how}`}`
}

type Reviewed = { reviewReasons: string[]; selfReferralMatches: SelfReferralMatch[]; partnerStatus: PartnerStatus }

export const reviewReasonsText = ({ reviewReasons, selfReferralMatches, partnerStatus }: Reviewed) =>
  reviewReasons
    .map((reason) => {
      if (reason === 'partner_suspended') return suspendedText(partnerStatus)
      if (reason === 'customer_is_partner') return ownText(selfReferralMatches)
      return REASONS[reason] ?? reason.replaceAll('_', ' ')
    })
    .join('; ')
