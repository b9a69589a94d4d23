import type { Permission } from '../names.ts'
import type { ChangeProgram } from './programs.ts'

/**
 * What changing each setting of a program needs besides `program:update`, which every change needs. A setting that decides what
 * is paid, or who can report something that is paid, needs the permission for that. Hold days and the minimum payout are part
 * of the reward, which needs `payout:manage`. No library in this file: the dashboard's pages load it too.
 */
export const SETTING_PERMISSIONS = {
  name: 'program:update',
  timezone: 'program:update', // where days begin; moments that money depends on have no time zone
  websites: 'program:update', // where links may lead; clicks count from anywhere
  paymentTrackingMode: 'program:update', // what the set-up asks for; both ways of reporting need a secret
  partnersCreateLinks: 'program:update',
  applicationsOpen: 'program:update', // applicants earn nothing until they are approved
  applicationText: 'program:update',
  leadAuth: 'key:manage', // leads without a key earn commissions
  currency: 'payout:manage', // what amounts are worth
  cookieWindowDays: 'payout:manage', // for how long a click earns
  attributionModel: 'payout:manage', // which partner earns
} as const satisfies Record<keyof Required<ChangeProgram>, Permission>
