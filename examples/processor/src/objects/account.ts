import type { Generation } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

export type Account = {
  id: string
  name: string
  secretKey: string
  /** Client IDs of connected platforms. */
  connectedTo: Set<string>
  chargesEnabled: boolean
  payoutsEnabled: boolean
  detailsSubmitted: boolean
}

export const accountOf = (generation: Generation, account: Account): WireObject => {
  const shape = shapeOf(generation, 'account')
  return {
    ...shape,
    id: account.id,
    email: null,
    business_profile: { ...(shape.business_profile as WireObject), name: account.name },
    charges_enabled: account.chargesEnabled,
    payouts_enabled: account.payoutsEnabled,
    details_submitted: account.detailsSubmitted,
  }
}

export const applicationOf = (generation: Generation, clientId: string): WireObject => ({
  ...shapeOf(generation, 'application'),
  id: clientId,
  name: 'Platform',
})
