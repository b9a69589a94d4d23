import type { RewardRequest } from '@tributary/contract'
import type { Terms } from './rewards.ts'

/** Terms that nobody has saved, so they have no version. */
const UNSAVED = 0

/** Terms as the rules read them, from terms as a person proposes them. */
export const proposedTerms = ({ lead, sale, holdDays }: RewardRequest, currency: string): Terms => ({
  version: UNSAVED,
  currency,
  leadAmountCents: lead?.amountCents ?? null,
  salePercentBps: sale?.percentBps ?? null,
  saleAmountCents: sale?.amountCents ?? null,
  saleDuration: sale?.duration ?? null,
  saleMonths: sale?.months ?? null,
  holdDays,
})
