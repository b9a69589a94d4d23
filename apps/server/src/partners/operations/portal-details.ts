import { PARTNER_DETAILS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { hasEarned } from '../../money/ledger/ledger.ts'
import { requireSecondFactor } from '../../platform/access.ts'
import { runs } from '../../platform/runs.ts'
import { reviewEarningsFrom } from '../../tracking/leads/review-partner.ts'
import { findLegalDetails, setLegalDetails } from '../legal-details.ts'
import { lockPartner } from '../partners.ts'
import { changePayoutDetails, findPayoutDetails } from '../payout-details.ts'

/** How a partner is paid, and what statements show about them. */
export const portalDetails = ({ hashKey }: { hashKey: string }) =>
  runs(
    PARTNER_DETAILS,
    {},
    {
      payoutDetails: async ({ db, program, partner: { partnerId }, actor, clock }) => {
        const found = await findPayoutDetails(db, { programId: program.id, partnerId, at: clock() })
        return found && actor.view ? masked(found) : found
      },

      setPayoutDetails: {
        allow: ({ db, program: { workspaceId }, actor }) => requireSecondFactor(db, { user: actor, workspaceId }),
        ownTransactions: async ({ db, program, partner: { partnerId }, clock, audit, body }) => {
          const key = { programId: program.id, partnerId }
          const stored = await inTransaction(db, async (tx) => {
            await lockPartner(tx, key)
            const at = clock()
            const change = { ...key, ...body, hasEarned: await hasEarned(tx, key), at }
            const { isChanged, before, after } = await changePayoutDetails(tx, change)
            // They decide where money goes.
            const entry = { action: 'payout details changed', subject: `partner ${partnerId}`, before, after, at }
            if (isChanged) await audit(tx, entry)
            return after
          })
          await reviewEarningsFrom({ db, clock, hashKey }, { ...key, addresses: [stored.account] })
          return stored
        },
      },

      legalDetails: ({ db, program, partner: { partnerId } }) =>
        findLegalDetails(db, { programId: program.id, partnerId }),

      setLegalDetails: async ({ tx, program, partner: { partnerId }, clock, audit, body: details }) => {
        const key = { programId: program.id, partnerId }
        await lockPartner(tx, key)
        const at = clock()
        const before = await findLegalDetails(tx, key)
        const changes = changedFields({ ...before }, details)
        if (before && !changes) return before
        await audit(tx, { action: 'partner legal details changed', subject: `partner ${partnerId}`, ...changes, at })
        return setLegalDetails(tx, { ...key, ...details, at })
      },
    },
  )

const HIDDEN = '••••'
const SHOWN_DIGITS = 4

/** For owners who view the portal as the partner: enough to recognize the account, not to use it. */
const masked = <Details extends { account: string }>(details: Details) => {
  const { account } = details
  const end = account.length > 2 * SHOWN_DIGITS ? ` ${account.slice(-SHOWN_DIGITS)}` : ''
  return { ...details, account: `${HIDDEN}${end}`, holder: HIDDEN, note: null }
}
