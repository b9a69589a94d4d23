import type { Partner } from '@tributary/contract'

type Status = Partner['status']
type Partnership = { status: Status | null; archived: boolean }
type MerchantLink = { active: boolean; partnerStatus: Status | null; partnerArchived: boolean }

/** Clicks on the links of an inactive partner are rejected, even if the link is enabled. Null if the partner is active. */
export const inactiveStatus = ({ status, archived }: Partnership) => {
  if (archived) return 'archived'
  return status === 'suspended' || status === 'rejected' ? status : null
}

/** The state shown to merchants. */
export const linkState = ({ active, partnerStatus: status, partnerArchived: archived }: MerchantLink) => {
  if (!active) return 'disabled'
  const inactive = inactiveStatus({ status, archived })
  if (inactive) return `partner_${inactive}`
  return status === 'pending' ? 'commissions_held' : 'active'
}

/** The state shown to the partner in the portal. */
export const ownLinkState = (active: boolean, partnership: Partnership) => {
  if (!active) return 'disabled'
  const inactive = inactiveStatus(partnership)
  return inactive ? `partnership_${inactive}` : 'active'
}
