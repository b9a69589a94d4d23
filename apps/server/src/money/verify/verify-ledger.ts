import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isUndone, isVoided } from '../../database/sql/active-void.ts'
import type { Tx } from '../../database/transaction.ts'
import { verifySequences } from '../../outbox/verify-sequences.ts'
import { standingOf } from '../commissions/commission-rules.ts'
import { readTerms } from '../rewards/program-terms.ts'
import { verifyAccounts } from './verify-accounts.ts'
import { verifyChain } from './verify-chain.ts'
import {
  type Booked,
  describeCommission,
  differencesInLedger,
  readAdjusted,
  verifyCommissions,
} from './verify-commissions.ts'
import { verifyCounts } from './verify-counts.ts'
import { verifySalesOfPayments } from './verify-payments.ts'
import { verifyStatements } from './verify-statements.ts'

/** `head` identifies the latest block. A copy kept elsewhere proves later that no blocks were removed. */
export type VerifiedProgram = { lines: number; blocks: number; head: string | null; differences: string[] }

type VerifyInput = {
  programId: number
  /** Older lines must be in a block; null if the service may not have been running to seal them. */
  sealedBefore: Date | null
  /** Checks that belong to other modules. */
  furtherChecks?: ((tx: Tx, check: { programId: number; found: (difference: string) => void }) => Promise<void>)[]
}

/** Recomputes everything about a program's money in one snapshot, so that a running service causes no false differences. */
export const verifyProgram = (
  db: Database,
  { programId, sealedBefore, furtherChecks = [] }: VerifyInput,
): Promise<VerifiedProgram> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Taken before the snapshot: retention must not drop a partition that the snapshot still needs.
      await sql`LOCK TABLE click_events IN ACCESS SHARE MODE`.execute(tx)
      const differences: string[] = []
      const found = (difference: string) => differences.push(difference)
      const { blocks, head, broken } = await verifyChain(tx, { programId, sealedBefore })
      if (broken) found(broken)
      const terms = await readTerms(tx, programId)
      await verifyCommissions(tx, { programId, terms, found })
      await verifyAdjustments(tx, { programId, found })
      await verifyAccounts(tx, { programId, found })
      await verifyStatements(tx, { programId, found })
      await verifyCounts(tx, { programId, found })
      await verifySalesOfPayments(tx, { programId, found })
      await verifySequences(tx, { programId, found })
      for (const check of furtherChecks) await check(tx, { programId, found })
      return { lines: await countLines(tx, programId), blocks, head, differences }
    })

const countLines = async (tx: Tx, programId: number) => {
  const { lines } = await tx
    .selectFrom('ledgerLines')
    .select((e) => e.fn.countAll<number>().as('lines'))
    .where('programId', '=', programId)
    .executeTakeFirstOrThrow()
  return lines
}

type Totals = { programs: number; lines: number; blocks: number; differences: number }

export const verifyLedger = async (
  db: Database,
  { onProgram, ...input }: Omit<VerifyInput, 'programId'> & { onProgram: (id: number, done: VerifiedProgram) => void },
): Promise<Totals> => {
  const totals: Totals = { programs: 0, lines: 0, blocks: 0, differences: 0 }
  const programs = await db.selectFrom('programs').select('id').orderBy('id').execute()
  for (const { id } of programs) {
    const done = await verifyProgram(db, { programId: id, ...input })
    onProgram(id, done)
    totals.programs++
    totals.lines += done.lines
    totals.blocks += done.blocks
    totals.differences += done.differences.length
  }
  return totals
}

type Check = { programId: number; found: (difference: string) => void }

type Payment = {
  id: number
  kind: 'bonus' | 'manual'
  partnerId: number
  amountCents: number
  currency: string
  payableAt: Date
  isSetAside: boolean
  review: 'none' | 'open' | 'released' | 'rejected'
}

/** Every bonus and manual commission has its commission, with the amount that the member entered. */
const verifyAdjustments = async (tx: Tx, { programId, found }: Check) => {
  const booked = await readAdjusted(tx, { programId, kinds: ['bonus', 'manual'] })
  const byAdjustment = new Map(booked.map((row) => [row.eventId, row]))
  for (const payment of await readPayments(tx, programId)) {
    const row = byAdjustment.get(payment.id)
    if (!row) found(`adjustment ${payment.id} should have a commission but has none`)
    else for (const difference of differencesOf(payment, row)) found(`${describeCommission(row)} ${difference}`)
  }
}

const readPayments = async (tx: Tx, programId: number) => {
  const { rows } = await sql<Payment>`
    SELECT payment.id, CASE payment.type WHEN 'bonus' THEN 'bonus' ELSE 'manual' END AS kind, payment.partner_id,
      payment.amount_cents, payment.currency, payment.payable_at,
      ${isUndone('payment')} OR ${isVoided('commission')} AS is_set_aside,
      CASE WHEN review.commission_id IS NULL THEN 'none' ELSE coalesce(review.decision, 'open') END AS review
    FROM adjustments payment
    LEFT JOIN commissions commission ON commission.program_id = payment.program_id AND commission.adjustment_id = payment.id
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    WHERE payment.program_id = ${programId} AND payment.type IN ('bonus', 'commission')
    ORDER BY payment.id`.execute(tx)
  return rows
}

const differencesOf = ({ review, isSetAside, ...payment }: Payment, booked: Booked): string[] => {
  const isSame =
    booked.kind === payment.kind &&
    booked.partnerId === payment.partnerId &&
    booked.amountCents === payment.amountCents &&
    booked.currency === payment.currency &&
    booked.payableAt.getTime() === payment.payableAt.getTime()
  const { amountCents } = payment
  const standing = standingOf({ amountCents, sale: null, review, isMerged: false, isSetAside })
  return [...(isSame ? [] : ['differs from its adjustment']), ...differencesInLedger(standing, booked)]
}
