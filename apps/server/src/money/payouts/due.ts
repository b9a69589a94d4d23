import type { Exclusion, PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { payableBalances } from '../ledger/ledger.ts'
import { allTermsAt } from '../rewards/reward-terms.ts'
import { RESERVED_BY_LINE } from './find-payout-lines.ts'

export type Due = { partnerId: number; currency: string; amountCents: number }

type Cutoff = { programId: number; at: Date; partnerId?: number }

/** Every positive payable balance, with the reason if a payout leaves it out. Debts wait for later commissions. */
export const previewPayout = async (db: Database, cutoff: Cutoff) => {
  const found = await inLongTransaction(db, (tx) => findPayable(tx, cutoff))
  return found.map(({ minimumCents: _, ...payable }) => payable)
}

/** Approved partners with a payable balance that reaches their minimum payout; or only one partner. */
export const findDue = async (tx: Tx, cutoff: Cutoff) =>
  (await findPayable(tx, cutoff)).filter(({ excludedReason }) => excludedReason === null)

const findPayable = async (tx: Tx, { programId, at, partnerId }: Cutoff) => {
  const uncertain = await findUncertain(tx, programId)
  const balances = await payableBalances(tx, { programId, at, ...(partnerId && { partnerId }) })
  const terms = await allTermsAt(
    tx,
    balances.map(({ partnerId }) => ({ programId, partnerId, at })),
  )
  return balances.map(({ partnerId, currency, payableCents, status }, index) => {
    const own = terms[index]
    const minimumCents = own?.currency === currency ? own.minimumPayoutCents : 0
    const isUncertain = uncertain.has(keyOf({ partnerId, currency }))
    const excludedReason = reasonFor({ status, isUncertain, isBelowMinimum: payableCents < minimumCents })
    return { partnerId, currency, amountCents: payableCents, minimumCents, excludedReason }
  })
}

type Facts = { status: PartnerStatus; isUncertain: boolean; isBelowMinimum: boolean }

const reasonFor = ({ status, isUncertain, isBelowMinimum }: Facts): Exclusion | null => {
  if (status !== 'approved') return status
  if (isUncertain) return 'open_export'
  return isBelowMinimum ? 'below_minimum' : null
}

export const keyOf = ({ partnerId, currency }: { partnerId: number; currency: string }) => `${partnerId} ${currency}`

/**
 * Accounts with an open line that was exported with more than is now reserved, because of a later refund. Until the line is marked,
 * the balance is unknown, so they are left out of new payouts.
 */
export const findUncertain = async (tx: Tx, programId: number) => {
  const { rows } = await sql<{ partnerId: number; currency: string }>`
    SELECT partner_id, currency FROM payout_lines line
    WHERE program_id = ${programId} AND status = 'open' AND exported_cents > (${RESERVED_BY_LINE})`.execute(tx)
  return new Set(rows.map(keyOf))
}
