import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { findEndedHolds, markAnnouncedUntil } from '../../outbox/payable-marks.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { announceEndedHolds } from './commission-events.ts'
import { partnerStatuses } from './partner-status.ts'

const BATCH = 500

/** Publishes `commission.payable` for hold periods that have ended, once per commission even if two processes run this. */
export const announcePayable = async ({ db, clock }: { db: Database; clock: Clock }) => {
  const at = clock()
  for (;;) {
    const ended = await findEndedHolds(db, { at, limit: BATCH })
    if (ended.length === 0) break
    await runEach(
      Map.groupBy(ended, (one) => one.programId),
      ([programId, own]) =>
        inTransaction(db, async (tx) => {
          const partnerIds = [...new Set(own.map(({ partnerId }) => partnerId))]
          await partnerStatuses(tx, { programId, partnerIds, lock: true })
          for (const [, [account]] of Map.groupBy(own, ({ partnerId, currency }) => `${partnerId} ${currency}`))
            if (account) await lockPartnerAccount(tx, account)
          await announceEndedHolds(tx, { programId, ids: own.map(({ id }) => id), at })
        }),
    )
    // A partner suspended meanwhile would be found again.
    if (ended.length < BATCH) break
  }
  await markAnnouncedUntil(db, at)
}

type Approved = { programId: number; partnerIds: number[]; at: Date }

/** Hold periods may have ended while the partners were not approved. The caller has just approved them. */
export const announceApproved = async (tx: Tx, { programId, partnerIds, at }: Approved) => {
  await sql`SELECT FROM partner_accounts WHERE program_id = ${programId} AND partner_id = ANY (${partnerIds}::integer[])
    ORDER BY partner_id, currency FOR UPDATE`.execute(tx)
  for (const partnerId of partnerIds) await announceEndedHolds(tx, { programId, partnerId, at })
}
