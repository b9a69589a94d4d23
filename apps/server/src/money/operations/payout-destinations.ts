import type { PAYOUT_METHODS } from '@tributary/contract'
import { z } from 'zod'
import { exportTimes } from '../../audit/payout-exports.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { destinationHolds } from '../../partners/destination-holds.ts'
import { payoutDetailsOf } from '../../partners/payout-details.ts'
import { hasPermission } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import type { Program } from '../../programs/programs.ts'

type Method = (typeof PAYOUT_METHODS)[number]
type Line = {
  partnerId: number
  status: string
  decidedAt: Date | null
  fileMethod: Method | null
  fileAccount: string | null
}
type Details = { method: Method; account: string; holder: string; updatedAt: Date }
type Destination = { method: Method; account: string; holder: string | null }

/**
 * Where a line is or was paid. A line stays with the payment file that contains it. Details that changed after the line was decided
 * do not apply to it, and a line that was paid without a payment file never appears in one.
 */
const destinationOf = (line: Line, details: Details | undefined): Destination | null => {
  const { fileMethod: method, fileAccount: account } = line
  const isOpen = line.status === 'open'
  if (method && account && !(isOpen && details?.method === method)) return { method, account, holder: null }
  if (!details) return null
  if (line.decidedAt && details.updatedAt > line.decidedAt) return null
  if (line.status === 'paid' && isPaidByFile(details.method)) return null
  return { method: details.method, account: details.account, holder: details.holder }
}

const isPaidByFile = (method: string) => method === 'paypal' || method === 'wise'

/** PayPal and Wise pay to an email address. Checked again here, because a payment cannot be recalled. */
const isUsable = ({ method, account }: Destination) => !isPaidByFile(method) || z.email().safeParse(account).success

/** Adds each line's destination, whether it can be paid, and until when it is on hold. */
export const destinationsFor = async <Row extends Line>(
  db: Database | Tx,
  { programId, at }: { programId: number; at: Date },
  rows: Row[],
) => {
  const ids = [...new Set(rows.map(({ partnerId }) => partnerId))]
  const details = await payoutDetailsOf(db, { programId, ids, at })
  const holds = await destinationHolds(db, { programId, ids, at })
  return rows.map(({ fileMethod, fileAccount, ...row }) => {
    const payoutDetails = details.get(row.partnerId)
    const to = destinationOf({ ...row, fileMethod, fileAccount }, payoutDetails)
    const isOpen = row.status === 'open'
    const hold = isOpen ? holds.get(row.partnerId) : undefined
    return {
      ...row,
      method: to?.method ?? null,
      account: to?.account ?? null,
      holder: to?.holder ?? null,
      needsDetails: isOpen && !(to && isUsable(to)),
      destinationChangedAt: hold?.changedAt ?? null,
      destinationHeldUntil: hold?.heldUntil ?? null,
      payoutDetails: payoutDetails ?? null,
    }
  })
}

const NEW_LINE = { status: 'open', decidedAt: null, fileMethod: null, fileAccount: null }

/** Whether each partner can be paid. Treats each due amount as a new line, because a preview has no lines yet. */
export const withDestinationStates = async <Due extends { partnerId: number }>(
  db: Database,
  place: { programId: number; at: Date },
  due: Due[],
) => {
  const found = await destinationsFor(
    db,
    place,
    due.map(({ partnerId }) => ({ partnerId, ...NEW_LINE })),
  )
  return due.map((row, index) => ({
    ...row,
    needsDetails: found[index]?.needsDetails ?? true,
    destinationChangedAt: found[index]?.destinationChangedAt ?? null,
    destinationHeldUntil: found[index]?.destinationHeldUntil ?? null,
  }))
}

type Answer = { program: Program; actor: Member; payoutId: number; at: Date }
type AnsweredLine = Line & { id: number; exportedCents: number | null }

/** For answers: adds the export time, and hides the account from members who cannot pay. */
export const withDestinations = async <Row extends AnsweredLine>(
  db: Database | Tx,
  { program: { id: programId, workspaceId }, actor, payoutId, at }: Answer,
  rows: Row[],
) => {
  const mayPay = await hasPermission(db, { user: actor, workspaceId, permission: 'payout:manage' })
  const lines = await destinationsFor(db, { programId, at }, rows)
  const times = await exportTimes(db, { programId, payoutId }, rows)
  return lines.map(({ account, holder, method, payoutDetails, ...line }) => ({
    ...line,
    exportedAt: times.get(line.id) ?? null,
    method: mayPay ? method : null,
    payoutDetails: mayPay ? payoutDetails : null,
  }))
}
