import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { partnerStatuses } from '../commissions/partner-standing.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { findPayoutLines, type PayoutLine } from './find-payout-lines.ts'

type Key = { programId: number; payoutId: number }
type ExportedLine = PayoutLine & { partnerStatus: PartnerStatus }
type FileLine = { id: number; account: string | null }

type Export<Line extends FileLine> = Key & {
  currency: string | undefined
  /** Of a payment file; null for a file that no payment service reads. */
  method: 'paypal' | 'wise' | null
  /** The lines of the file. May refuse by throwing; then nothing is recorded. */
  choose: (tx: Tx, lines: ExportedLine[]) => Promise<Line[]>
  /** What else belongs to the same transaction. */
  also: (tx: Tx, lines: Line[]) => Promise<unknown>
}

/**
 * Records on each open line what the file says of it, and answers the lines of the file. The accounts are locked: a concurrent
 * refund is either in the file, or finds the line exported. A decided line is only read, and so is one of a partner who is not
 * approved.
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
    const statuses = await partnerStatuses(tx, { programId, partnerIds, isHeld: true })
    // In the order in which a payout takes the same locks.
    const inOrder = found.toSorted((a, b) => a.partnerId - b.partnerId || (a.currency < b.currency ? -1 : 1))
    for (const line of inOrder) if (line.status === 'open') await lockPartnerAccount(tx, { programId, ...line })
    const lines = (await find()).map((line) => ({ ...line, partnerStatus: statusIn(statuses, line) }))
    const chosen = await choose(tx, lines)
    const toPay = new Map(lines.filter(isToPay).map(({ id, batchedCents }) => [id, batchedCents]))
    for (const { id, account } of chosen) {
      const cents = toPay.get(id)
      if (cents === undefined) continue
      await sql`UPDATE payout_lines SET exported_cents = greatest(exported_cents, ${cents})
        ${method ? sql`, file_method = ${method}, file_account = ${account}` : sql``}
        WHERE program_id = ${programId} AND id = ${id}`.execute(tx)
    }
    await also(tx, chosen)
    return chosen
  })

const statusIn = (statuses: Map<number, PartnerStatus>, { partnerId }: PayoutLine) => {
  const status = statuses.get(partnerId)
  if (!status) throw new Error('a payout line belongs to a partner of its program')
  return status
}

/** Nobody should pay a partner who is not approved, even from a file that lists the line. */
const isToPay = ({ status, batchedCents, partnerStatus }: ExportedLine) =>
  status === 'open' && batchedCents > 0 && partnerStatus === 'approved'

type Reset = Key & {
  lineId: number
  also: (tx: Tx, before: PayoutLine, after: PayoutLine | undefined) => Promise<unknown>
}

/** Lets the file of another method have the line. The exported amount stays: the file that had it may have been paid. */
export const resetPaymentFile = (db: Database, { programId, payoutId, lineId, also }: Reset) =>
  inTransaction(db, async (tx) => {
    const [found] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (!found) return null
    await lockPartnerAccount(tx, { programId, ...found })
    const [before] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (before?.status !== 'open')
      throw new Refusal('conflict', 'This line is decided, and stays with the payment file it was in.')
    if (before.fileMethod === null) return before
    await tx
      .updateTable('payoutLines')
      .set({ fileMethod: null, fileAccount: null })
      .where('programId', '=', programId)
      .where('id', '=', lineId)
      .execute()
    const [after] = await findPayoutLines(tx, { programId, payoutId, lineId })
    await also(tx, before, after)
    return after ?? null
  })
