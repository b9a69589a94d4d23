import { idOf } from '../translating/fields.ts'
import type { Translate } from '../translation.ts'

/** account.updated: what the merchant's account can do. */
export const accountUpdated: Translate = ({ object: account, accountId }) => ({
  account: {
    accountId: accountId ?? idOf(account),
    flags: {
      chargesEnabled: account.charges_enabled === true,
      payoutsEnabled: account.payouts_enabled === true,
      detailsSubmitted: account.details_submitted === true,
    },
  },
})

/** account.application.deauthorized: the merchant revoked the platform's access. */
export const accountDeauthorized: Translate = () => ({ deauthorized: true })
