import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'

export type Account = 'program' | 'review' | 'disputed' | 'earned' | 'batched' | 'paid'

export type NewLine = {
  partnerId: number
  currency: string
  fromAccount: Account
  toAccount: Account
  amountCents: number
  /** When the amount becomes payable. A reversal uses the original date, so held and payable sums stay consistent. */
  availableAt: Date
  cause: string
  commissionId?: number | null
  refundId?: number | null
  payoutLineId?: number | null
}

/** For payout moves, which count at any date: if the server clock jumps back, a reserved amount must not become payable again. */
export const ALWAYS_AVAILABLE = new Date(0)

/** Causes of ledger lines that correct a commission after a later report about its sale. */
export const CORRECTION_CAUSE = {
  amount: 'amount corrected',
  refund: 'refund undone',
  merged: 'merged into another sale',
  first: 'order of sales corrected',
  /** A refund or a corrected amount changed the disputed part. */
  dispute: 'disputed part corrected',
} as const
/** Causes of ledger lines after a member's adjustment. */
export const ADJUSTMENT_CAUSE = {
  void: 'voided',
  voidUndone: 'void undone',
  assigned: 'sale moved to another partner',
  undone: 'adjustment undone',
  /** Later reports changed the sale, or joined it with one that has an adjustment. */
  applied: 'adjustment applied',
} as const
/** A member ended the hold period: the amount leaves its date and is booked again under the new one. */
export const HOLD_RELEASED = 'hold released'
export const CORRECTIONS: string[] = [
  ...Object.values(CORRECTION_CAUSE),
  ADJUSTMENT_CAUSE.voidUndone,
  ADJUSTMENT_CAUSE.undone,
  ADJUSTMENT_CAUSE.applied,
  HOLD_RELEASED,
]

/** The ledger is append-only; the service's database role can only insert. */
export const appendLines = async (
  tx: Tx,
  { programId, at, lines }: { programId: number; at: Date; lines: NewLine[] },
) => {
  const nonZero = lines.filter(({ amountCents }) => amountCents > 0)
  if (nonZero.length === 0) return
  await changing(tx, 'payout', { programId, ids: nonZero.flatMap(({ payoutLineId }) => payoutLineId ?? []), at })
  const commissionIds = nonZero.flatMap(({ commissionId }) => commissionId ?? [])
  const writer = await changing(tx, 'commission', { programId, ids: commissionIds, at })
  await writer
    .insertInto('ledgerLines')
    .values(nonZero.map((line) => ({ ...line, programId, createdAt: at })))
    .execute()
}

export type FirstLine = { toAccount: Account; cause: string; at: Date }

/** SQL fragment: inserts the first ledger line of each new commission, from the CTEs `commission` and `new_commission`. */
export const insertFirstLines = sql`
  INSERT INTO ledger_lines (program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause,
    commission_id, created_at)
  SELECT commission.program_id, commission.partner_id, commission.currency, 'program', to_account, commission.amount_cents,
    commission.payable_at, cause, id, at
  FROM commission JOIN new_commission
    ON new_commission.program_id = commission.program_id AND new_commission.kind = commission.kind
    AND coalesce(new_commission.lead_id, new_commission.sale_id, new_commission.adjustment_id)
      = coalesce(commission.lead_id, commission.sale_id, commission.adjustment_id)
  ORDER BY id`

/** SQL fragment of the same statement. Debits lock the account; credits do not. */
export const openPartnerAccounts = sql`
  INSERT INTO partner_accounts (program_id, partner_id, currency)
  SELECT DISTINCT program_id, partner_id, currency FROM new_commission ORDER BY program_id, partner_id, currency
  ON CONFLICT (program_id, partner_id, currency) DO NOTHING`

type AccountKey = { programId: number; partnerId: number; currency: string }

export const lockPartnerAccount = (tx: Tx, { programId, partnerId, currency }: AccountKey) =>
  tx
    .selectFrom('partnerAccounts')
    .select('partnerId')
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .where('currency', '=', currency)
    .forUpdate()
    .executeTakeFirst()

type SaleKey = { programId: number; id: number }

/**
 * Locks the accounts of the sales' partners, always in the same order, so that two batches cannot deadlock. A sale that a member
 * credited or moved has several.
 */
export const lockAccountsOfSales = async (tx: Tx, sales: SaleKey[]) => {
  if (sales.length === 0) return
  const column = columnsOf(sales)
  await sql`
    SELECT FROM partner_accounts account
    WHERE (account.program_id, account.partner_id, account.currency) IN (
      WITH wanted AS (
        SELECT * FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}) AS wanted(program_id, sale_id))
      SELECT commission.program_id, commission.partner_id, commission.currency
      FROM wanted JOIN commissions commission ON commission.program_id = wanted.program_id AND commission.sale_id = wanted.sale_id
      UNION ALL
      SELECT commission.program_id, commission.partner_id, commission.currency
      FROM wanted
      CROSS JOIN LATERAL (
        SELECT wanted.sale_id AS id UNION ALL
        SELECT merged.id FROM sales merged
        WHERE merged.program_id = wanted.program_id AND merged.merged_into = wanted.sale_id) named
      JOIN adjustments assigned ON assigned.program_id = wanted.program_id AND assigned.sale_id = named.id
        AND assigned.type IN ('credit', 'move')
      JOIN commissions commission ON commission.program_id = assigned.program_id AND commission.adjustment_id = assigned.id)
    ORDER BY account.program_id, account.partner_id, account.currency FOR UPDATE`.execute(tx)
}

/** Whether the partner has ever earned a commission, in any currency. */
export const hasEarned = async (tx: Tx, { programId, partnerId }: Omit<AccountKey, 'currency'>) =>
  Boolean(
    await tx
      .selectFrom('partnerAccounts')
      .select('partnerId')
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .limit(1)
      .executeTakeFirst(),
  )

/** SQL fragment: credits minus debits of an account, over rows with `to_account` and `from_account`. */
const sumIn = (account: Account, cents: string) =>
  sql.raw<number>(
    `coalesce(sum(CASE '${account}' WHEN to_account THEN ${cents} WHEN from_account THEN -(${cents}) END), 0)::bigint`,
  )

/** The same over ledger lines aliased `line`. */
export const centsIn = (account: Account) => sumIn(account, 'line.amount_cents')

/** Over the lines of a commission: the amount that is not reversed. */
export const promisedCents = sql<number>`-${centsIn('program')}`

export const findPromisedCents = async (
  db: Database | Tx,
  { programId, commissionId }: { programId: number; commissionId: number },
) => {
  const { rows } = await sql<{ cents: number }>`
    SELECT ${promisedCents} AS cents FROM ledger_lines line
    WHERE line.program_id = ${programId} AND line.commission_id = ${commissionId}`.execute(db)
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

type Scope = { programId: number; at: Date; partnerId?: number | null }

/**
 * Sums every ledger line, using an index-only scan (docs/decisions/0020). Held amounts become payable by date, without a job; those of
 * unapproved partners stay held. For a whole program use `inLongTransaction`: it may have millions of lines.
 */
export const selectBalances = (scope: Scope) => sql<Balance>`
    SELECT balance.partner_id, currency, CASE WHEN is_approved THEN held_cents ELSE held_cents + greatest(payable_cents, 0) END AS held_cents,
      CASE WHEN is_approved THEN payable_cents ELSE least(payable_cents, 0) END AS payable_cents,
      batched_cents, paid_cents, review_cents, disputed_cents
    FROM (${selectAccountSums(scope)}) balance
    CROSS JOIN LATERAL (
      SELECT status = 'approved' AS is_approved FROM partners WHERE program_id = ${scope.programId} AND id = balance.partner_id) partner`

const selectAccountSums = ({ programId, at, partnerId = null }: Scope) => sql`
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

export const balances = async (db: Database | Tx, scope: Scope): Promise<Balance[]> =>
  (await sql<Balance>`${selectBalances(scope)} ORDER BY partner_id, currency`.execute(db)).rows

/** Positive payable balances, including those of partners who are not approved. */
export const payableBalances = async (tx: Tx, scope: Scope) => {
  const { rows } = await sql<{ partnerId: number; currency: string; payableCents: number; status: PartnerStatus }>`
    SELECT balance.partner_id, balance.currency, balance.payable_cents, partner.status
    FROM (${selectAccountSums(scope)}) balance
    JOIN partners partner ON partner.program_id = ${scope.programId} AND partner.id = balance.partner_id
    WHERE balance.payable_cents > 0 ORDER BY balance.partner_id, balance.currency`.execute(tx)
  return rows
}
