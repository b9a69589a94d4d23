import type { Permission } from '../names.ts'
import type { ChangeProgram } from './programs.ts'

/**
 * The permission that changing each setting requires, on top of `program:update`. Settings that affect commissions, or who can
 * report it, need more. The hold period and minimum payout are part of the reward terms, which require `payout:manage`.
 * The dashboard bundles this file, so it imports only types.
 */
export const SETTING_PERMISSIONS = {
  name: 'program:update',
  timezone: 'program:update', // only affects where days start; money depends on exact times
  websites: 'program:update', // limits where links lead; clicks count from anywhere
  paymentTrackingMode: 'program:update', // only affects the setup page; both modes need a secret
  partnersCreateLinks: 'program:update',
  partnersRequestCodes: 'program:update', // members decide on each request
  applicationsOpen: 'program:update', // applicants are paid nothing until they are approved
  applicationText: 'program:update',
  leadAuth: 'key:manage', // lets leads without a key earn commissions
  currency: 'payout:manage', // changes what amounts are worth
  cookieWindowDays: 'payout:manage', // changes how long a click can earn
  respectGlobalPrivacyControl: 'payout:manage', // changes which clicks can earn
  attributionModel: 'payout:manage', // changes which partner earns
  codePrecedence: 'payout:manage', // changes which partner earns
  reviewAdClicks: 'payout:manage', // changes which commissions wait for a decision
  reviewWithinSeconds: 'payout:manage', // the same
} as const satisfies Record<keyof Required<ChangeProgram>, Permission>
