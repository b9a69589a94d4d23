import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { withoutEvent } from '../../outbox/publish-changes.ts'
import { Refusal } from '../../refusal.ts'
import { partnerStatuses } from '../commissions/partner-status.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { findPayoutLines, type LineChange, type PayoutLine, readPayoutLine } from './find-payout-lines.ts'

type Selection = { programId: number; payoutId: number; currency: string | undefined }

/**
 * The lines to choose from for a file. Locks the accounts, so a concurrent refund either lowers the amount in the file or finds the
 * line exported.
 */
export const lockLinesToExport = async (tx: Tx, { programId, payoutId, currency }: Selection) => {
  const find = async () =>
    (await findPayoutLines(tx, { programId, payoutId })).filter((line) => !currency || line.currency === currency)
  const found = await find()
  const partnerIds = found.map(({ partnerId }) => partnerId)
  const statuses = await partnerStatuses(tx, { programId, partnerIds, lock: true })
  // Same lock order as creating a payout.
  const inOrder = found.toSorted((a, b) => a.partnerId - b.partnerId || (a.currency < b.currency ? -1 : 1))
  for (const line of inOrder) if (line.status === 'open') await lockPartnerAccount(tx, { programId, ...line })
  return (await find()).map((line) => ({ ...line, partnerStatus: statusIn(statuses, line) }))
}

const statusIn = (statuses: Map<number, PartnerStatus>, { partnerId }: PayoutLine) => {
  const status = statuses.get(partnerId)
  if (!status) throw new Error(`partner ${partnerId} of a payout line is missing`)
  return status
}

type ExportedLine = Pick<PayoutLine, 'id' | 'status' | 'amountCents'> & {
  partnerStatus: PartnerStatus
  account: string | null
}
type Export = {
  programId: number
  /** Null if the file is not for a payment service. */
  method: 'paypal' | 'wise' | null
  lines: ExportedLine[]
}

/** Records the exported amount on each open line of a file. Decided lines and those of unapproved partners are not changed. */
export const recordExport = async (tx: Tx, { programId, method, lines }: Export) => {
  for (const { id, account, amountCents } of lines.filter(isPayable))
    await sql`UPDATE payout_lines SET exported_cents = greatest(exported_cents, ${amountCents})
      ${method ? sql`, file_method = ${method}, file_account = ${account}` : sql``}
      WHERE program_id = ${programId} AND id = ${id}`.execute(withoutEvent(tx))
}

/** Lines of unapproved partners appear in some files but must not be paid. */
const isPayable = ({ status, amountCents, partnerStatus }: ExportedLine) =>
  status === 'open' && amountCents > 0 && partnerStatus === 'approved'

type Reset = { programId: number; line: PayoutLine }

/** Frees the line for another payment method's file. Keeps the exported amount, because the old file may already be paid. */
export const resetPaymentFile = async (tx: Tx, { programId, line }: Reset): Promise<LineChange> => {
  await lockPartnerAccount(tx, { programId, ...line })
  const before = await readPayoutLine(tx, { programId, line })
  if (before.status !== 'open')
    throw new Refusal('conflict', 'This line is already marked paid or failed, so it stays in its payment file.')
  if (before.fileMethod === null) return { before: null, after: before }
  await withoutEvent(tx)
    .updateTable('payoutLines')
    .set({ fileMethod: null, fileAccount: null })
    .where('programId', '=', programId)
    .where('id', '=', line.id)
    .execute()
  return { before, after: await readPayoutLine(tx, { programId, line }) }
}
