import type { RewardRequest } from '@tributary/contract'
import type { Terms } from './rewards.ts'

/** Unsaved terms have no version yet. */
const UNSAVED = 0

/** Converts requested terms to the form the reward rules use. */
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
