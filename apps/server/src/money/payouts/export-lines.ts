import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { withoutEvent } from '../../outbox/publish-changes.ts'
import { Refusal } from '../../refusal.ts'
import { partnerStatuses } from '../commissions/partner-status.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { findPayoutLines, type PayoutLine } from './find-payout-lines.ts'

type Key = { programId: number; payoutId: number }
type ExportedLine = PayoutLine & { partnerStatus: PartnerStatus }
type FileLine = { id: number; account: string | null }

type Export<Line extends FileLine> = Key & {
  currency: string | undefined
  /** Null if the file is not for a payment service. */
  method: 'paypal' | 'wise' | null
  /** Picks the lines for the file. If it throws, nothing is recorded. */
  choose: (tx: Tx, lines: ExportedLine[]) => Promise<Line[]>
  /** Runs in the same transaction. */
  also: (tx: Tx, lines: Line[]) => Promise<unknown>
}

/**
 * Records the exported amount on each open line and returns the lines of the file. Locks the accounts, so a concurrent refund either
 * lowers the amount in the file or finds the line exported. Decided lines and those of unapproved partners are not changed.
 */
export const exportLines = <Line extends FileLine>(
  db: Database,
  { programId, payoutId, currency, method, choose, also }: Export<Line>,
) =>
  inTransaction(db, async (tx) => {
    const find = async () =>
      (await findPayoutLines(tx, { programId, payoutId })).filter((line) => !currency || line.currency === currency)
    const found = await find()
    const partnerIds = found.map(({ partnerId }) => partnerId)
    const statuses = await partnerStatuses(tx, { programId, partnerIds, lock: true })
    // Same lock order as creating a payout.
    const inOrder = found.toSorted((a, b) => a.partnerId - b.partnerId || (a.currency < b.currency ? -1 : 1))
    for (const line of inOrder) if (line.status === 'open') await lockPartnerAccount(tx, { programId, ...line })
    const lines = (await find()).map((line) => ({ ...line, partnerStatus: statusIn(statuses, line) }))
    const chosen = await choose(tx, lines)
    const payable = new Map(lines.filter(isPayable).map(({ id, batchedCents }) => [id, batchedCents]))
    for (const { id, account } of chosen) {
      const cents = payable.get(id)
      if (cents === undefined) continue
      await sql`UPDATE payout_lines SET exported_cents = greatest(exported_cents, ${cents})
        ${method ? sql`, file_method = ${method}, file_account = ${account}` : sql``}
        WHERE program_id = ${programId} AND id = ${id}`.execute(withoutEvent(tx))
    }
    await also(tx, chosen)
    return chosen
  })

const statusIn = (statuses: Map<number, PartnerStatus>, { partnerId }: PayoutLine) => {
  const status = statuses.get(partnerId)
  if (!status) throw new Error(`partner ${partnerId} of a payout line is missing`)
  return status
}

/** Lines of unapproved partners appear in some files but must not be paid. */
const isPayable = ({ status, batchedCents, partnerStatus }: ExportedLine) =>
  status === 'open' && batchedCents > 0 && partnerStatus === 'approved'

type Reset = Key & {
  lineId: number
  also: (tx: Tx, before: PayoutLine, after: PayoutLine | undefined) => Promise<unknown>
}

/** Frees the line for another payment method's file. Keeps the exported amount, because the old file may already be paid. */
export const resetPaymentFile = (db: Database, { programId, payoutId, lineId, also }: Reset) =>
  inTransaction(db, async (tx) => {
    const [found] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (!found) return null
    await lockPartnerAccount(tx, { programId, ...found })
    const [before] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (before?.status !== 'open')
      throw new Refusal('conflict', 'This line is already marked paid or failed, so it stays in its payment file.')
    if (before.fileMethod === null) return before
    await withoutEvent(tx)
      .updateTable('payoutLines')
      .set({ fileMethod: null, fileAccount: null })
      .where('programId', '=', programId)
      .where('id', '=', lineId)
      .execute()
    const [after] = await findPayoutLines(tx, { programId, payoutId, lineId })
    await also(tx, before, after)
    return after ?? null
  })
