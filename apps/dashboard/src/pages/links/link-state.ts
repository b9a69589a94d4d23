import type { Partner } from '@tributary/contract'

type Status = Partner['status']

/** Clicks on the links of a partner who is suspended or rejected are refused, whatever the link itself says. */
const isOff = (status: Status | null) => status === 'suspended' || status === 'rejected'

/** As the merchant reads it. A link that is nobody's has no partner to stand for it. */
export const linkState = (active: boolean, status: Status | null) => {
  if (!active) return 'disabled'
  return isOff(status) ? `off_${status}` : 'active'
}

/** As the partner reads it, whose own standing it is. */
export const ownLinkState = (active: boolean, status: Status) => {
  if (!active) return 'disabled'
  return isOff(status) ? `own_off_${status}` : 'active'
}
