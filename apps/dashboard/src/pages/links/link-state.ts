import type { Partner } from '@tributary/contract'

type Status = Partner['status']
type MerchantLink = { active: boolean; partnerStatus: Status | null; partnerArchived: boolean }

/** Clicks on the links of suspended and rejected partners are rejected, even if the link is active. */
const isOff = (status: Status | null) => status === 'suspended' || status === 'rejected'

/** The state shown to merchants. */
export const linkState = ({ active, partnerStatus, partnerArchived }: MerchantLink) => {
  if (!active) return 'disabled'
  if (partnerArchived) return 'off_archived'
  return isOff(partnerStatus) ? `off_${partnerStatus}` : 'active'
}

/** The state shown to the partner in the portal. */
export const ownLinkState = (active: boolean, { status, archived }: { status: Status; archived: boolean }) => {
  if (!active) return 'disabled'
  if (archived) return 'own_off_archived'
  return isOff(status) ? `own_off_${status}` : 'active'
}
