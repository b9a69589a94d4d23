import type { Partner } from '@tributary/contract'

type Status = Partner['status']
type MerchantLink = { active: boolean; partnerStatus: Status | null; partnerArchived: boolean }

/** Clicks on the links of a partner who is suspended or rejected are refused, whatever the link itself says. */
const isOff = (status: Status | null) => status === 'suspended' || status === 'rejected'

/** As the merchant reads it. A link that is nobody's has no partner to stand for it. */
export const linkState = ({ active, partnerStatus, partnerArchived }: MerchantLink) => {
  if (!active) return 'disabled'
  if (partnerArchived) return 'off_archived'
  return isOff(partnerStatus) ? `off_${partnerStatus}` : 'active'
}

/** As the partner reads it, whose own standing it is. */
export const ownLinkState = (active: boolean, { status, archived }: { status: Status; archived: boolean }) => {
  if (!active) return 'disabled'
  if (archived) return 'own_off_archived'
  return isOff(status) ? `own_off_${status}` : 'active'
}
