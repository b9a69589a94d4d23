import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'

export type Account = 'program' | 'review' | 'disputed' | 'earned' | 'batched' | 'paid'

export type NewLine = {
  partnerId: number
  currency: string
  fromAccount: Account
  toAccount: Account
  amountCents: number
  /** When what moves is payable: a reversal carries the date of what it reverses, so that both always stand in one bucket. */
  availableAt: Date
  cause: string
  commissionId?: number | null
  refundId?: number | null
  payoutLineId?: number | null
}

/** What leaves the balance for a payout has left it whatever a clock says later: one that goes back must not pay twice. */
export const AT_ANY_TIME = new Date(0)

/** What a line says that brings a commission to where it would be, had its sale been told right from the beginning. */
export const CORRECTION_CAUSE = {
  amount: 'amount corrected',
  refund: 'refund undone',
  merged: 'merged into another sale',
  first: 'order of sales corrected',
  /** A refund or another amount leaves another part to be held for a dispute. */
  dispute: 'disputed part corrected',
} as const
export const CORRECTIONS: string[] = Object.values(CORRECTION_CAUSE)

/** The ledger is only ever added to; the role that the service works as may do nothing else. */
export const append = async (tx: Tx, { programId, at, lines }: { programId: number; at: Date; lines: NewLine[] }) => {
  const moving = lines.filter(({ amountCents }) => amountCents > 0)
  if (moving.length === 0) return
  await tx
    .insertInto('ledgerLines')
    .values(moving.map((line) => ({ ...line, programId, createdAt: at })))
    .execute()
}

export type FirstLine = { toAccount: Account; cause: string; at: Date }

/** The first lines of commissions, as part of the statement that makes them as `commission` from what is `promised`. */
export const appendPromises = sql`
  INSERT INTO ledger_lines (program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause,
    commission_id, created_at)
  SELECT commission.program_id, commission.partner_id, commission.currency, 'program', to_account, commission.amount_cents,
    commission.payable_at, cause, id, at
  FROM commission JOIN promised ON promised.program_id = commission.program_id AND promised.kind = commission.kind
    AND coalesce(promised.lead_id, promised.sale_id) = coalesce(commission.lead_id, commission.sale_id)
  ORDER BY id`

/** Part of the same. Whoever takes out of the balance locks the account; whoever adds to it does not wait. */
export const openPartnerAccounts = sql`
  INSERT INTO partner_accounts (program_id, partner_id, currency)
  SELECT DISTINCT program_id, partner_id, currency FROM promised ORDER BY program_id, partner_id, currency
  ON CONFLICT (program_id, partner_id, currency) DO NOTHING`

type Pot = { programId: number; partnerId: number; currency: string }

export const lockPartnerAccount = (tx: Tx, { programId, partnerId, currency }: Pot) =>
  tx
    .selectFrom('partnerAccounts')
    .select('partnerId')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .where('currency', '=', currency)
    .forUpdate()
    .executeTakeFirst()

type OfSale = { programId: number; id: number }

/** The accounts of whoever has a commission of these sales, in one order for all: two batches that take from them do not wait crosswise. */
export const lockAccountsOfSales = async (tx: Tx, sales: OfSale[]) => {
  if (sales.length === 0) return
  const column = columnsOf(sales)
  await sql`
    SELECT FROM partner_accounts account
    WHERE (account.program_id, account.partner_id, account.currency) IN (
      SELECT commission.program_id, commission.partner_id, commission.currency
      FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}) AS asked(program_id, sale_id)
      JOIN commissions commission ON commission.program_id = asked.program_id AND commission.sale_id = asked.sale_id)
    ORDER BY account.program_id, account.partner_id, account.currency FOR UPDATE`.execute(tx)
}

/** Whether the partner was ever promised anything, in any currency. */
export const hasEarned = async (tx: Tx, { programId, partnerId }: Omit<Pot, 'currency'>) =>
  Boolean(
    await tx
      .selectFrom('partnerAccounts')
      .select('partnerId')
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .limit(1)
      .executeTakeFirst(),
  )

/** What of a commission is still promised. */
export const promisedOf = async (
  db: Database | Tx,
  { programId, commissionId }: { programId: number; commissionId: number },
) => {
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(CASE 'program' WHEN from_account THEN amount_cents WHEN to_account THEN -amount_cents END), 0)::bigint AS cents
    FROM ledger_lines WHERE program_id = ${programId} AND commission_id = ${commissionId}`.execute(db)
  return rows[0]?.cents ?? 0
}

export type Balance = {
  partnerId: number
  currency: string
  heldCents: number
  payableCents: number
  batchedCents: number
  paidCents: number
  reviewCents: number
  disputedCents: number
}

type Whose = { programId: number; at: Date; partnerId?: number | null }

/** What has come into an account by the lines of a query, less what has left it. */
const sumIn = (account: Account, cents: string) =>
  sql.raw(
    `coalesce(sum(CASE '${account}' WHEN to_account THEN ${cents} WHEN from_account THEN -(${cents}) END), 0)::bigint`,
  )

/**
 * Balances are sums, of every line once and from an index alone (docs/decisions/0020). Held turns payable by the clock alone: there
 * is no job that could fail to run. What a partner who is not approved has earned is held whatever the clock says. Those of a whole program are for `inLongTransaction`: it may have millions of lines.
 */
export const balancesOf = (whose: Whose) => sql<Balance>`
    SELECT balance.partner_id, currency, CASE WHEN is_approved THEN held_cents ELSE held_cents + greatest(payable_cents, 0) END AS held_cents,
      CASE WHEN is_approved THEN payable_cents ELSE least(payable_cents, 0) END AS payable_cents,
      batched_cents, paid_cents, review_cents, disputed_cents
    FROM (${sumsOf(whose)}) balance
    CROSS JOIN LATERAL (
      SELECT status = 'approved' AS is_approved FROM partners WHERE program_id = ${whose.programId} AND id = balance.partner_id) partner`

const sumsOf = ({ programId, at, partnerId = null }: Whose) => sql`
    SELECT partner_id, currency, ${sumIn('earned', 'later')} AS held_cents, ${sumIn('earned', 'now')} AS payable_cents,
      ${sumIn('batched', 'later + now')} AS batched_cents, ${sumIn('paid', 'later + now')} AS paid_cents,
      ${sumIn('review', 'later + now')} AS review_cents, ${sumIn('disputed', 'later + now')} AS disputed_cents
    FROM (
      SELECT partner_id, currency, from_account, to_account,
        coalesce(sum(amount_cents) FILTER (WHERE available_at > ${at}), 0) AS later,
        coalesce(sum(amount_cents) FILTER (WHERE available_at <= ${at}), 0) AS now
      FROM ledger_lines
      WHERE program_id = ${programId} ${partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`}
      GROUP BY partner_id, currency, from_account, to_account) moved
    GROUP BY partner_id, currency`

export const balances = async (db: Database | Tx, whose: Whose): Promise<Balance[]> =>
  (await sql<Balance>`${balancesOf(whose)} ORDER BY partner_id, currency`.execute(db)).rows
