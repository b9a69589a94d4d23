import type { HeldAmount, NextPayable } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { anyOf, columnsOf } from '../../database/sql/columns.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import { nameOf, usersById } from '../../database/sql/users-by-id.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { appendLines, centsIn, HOLD_RELEASED, promisedCents } from '../ledger/ledger.ts'
import type { Standing } from './commission-rules.ts'
import { inPayout, setPayableAt } from './commissions.ts'
import { movesBetween } from './ledger-moves.ts'

export type HoldScope = {
  programId: number
  partnerId?: number | undefined
  groupId?: number | undefined
}
type At = HoldScope & { at: Date }
/** A commission that a release would make payable. */
export type HeldKey = { id: number; partnerId: number }

type Held = Standing & { id: number; partnerId: number; currency: string; payableAt: Date }

const CURRENT_GROUP = groupAt({ programId: sql`partner.program_id`, partnerId: sql`partner.id` })

const matchingPartners = ({ programId, partnerId, groupId }: HoldScope) => sql`
  partner.program_id = ${programId} AND partner.status = 'approved'
    ${partnerId === undefined ? sql`` : sql`AND partner.id = ${partnerId}`}
    ${groupId === undefined ? sql`` : sql`AND ${CURRENT_GROUP} = ${groupId}`}`

/** What a release makes payable: part of the balance, dated in the future by the hold period. Members chose the dates of bonuses. */
const selectHeld = (scope: At, among = sql``) => sql`
  SELECT commission.id, commission.partner_id, commission.currency, commission.payable_at, booked.promised, booked.disputed, booked.review
  FROM partners partner
  JOIN commissions commission ON commission.program_id = partner.program_id AND commission.partner_id = partner.id
    AND commission.payable_at > ${scope.at} AND commission.kind IN ('lead', 'sale', 'credited')
  CROSS JOIN LATERAL (
    SELECT ${promisedCents} AS promised, ${centsIn('disputed')} AS disputed, ${centsIn('review')} AS review
    FROM ledger_lines line WHERE line.program_id = commission.program_id AND line.commission_id = commission.id) booked
  WHERE ${matchingPartners(scope)} ${among} AND booked.promised > booked.disputed + booked.review AND NOT (${inPayout('commission')})`

/** What a release would make payable, by partner. */
export const findHeld = (db: Database, scope: At): Promise<HeldKey[]> =>
  inLongTransaction(db, async (tx) => {
    const { rows } = await sql<HeldKey>`
      SELECT id, partner_id FROM (${selectHeld(scope)}) one ORDER BY partner_id, id`.execute(tx)
    return rows
  })

export type Total = Pick<HeldAmount, 'currency' | 'commissions' | 'amountCents'>

/** Per currency: what a release would make payable, and when the next amount becomes payable without one. */
export const listHeld = async (db: Database, scope: At): Promise<HeldAmount[]> => {
  const { rows } = await sql<Total & { nextOn: string | null; nextCents: number | null }>`
    SELECT coalesce(held.currency, next.currency) AS currency, coalesce(held.commissions, 0)::bigint AS commissions,
      coalesce(held.cents, 0)::bigint AS amount_cents, next.day::text AS next_on, next.cents AS next_cents
    FROM (
      SELECT currency, count(*) AS commissions, sum(promised - disputed - review)::bigint AS cents
      FROM (${selectHeld(scope)}) one GROUP BY currency) held
    FULL JOIN (
      SELECT DISTINCT ON (currency) currency, day, cents FROM (
        SELECT line.currency, (line.available_at AT TIME ZONE program.timezone)::date AS day,
          sum(CASE 'earned' WHEN to_account THEN amount_cents ELSE -amount_cents END)::bigint AS cents
        FROM programs program
        JOIN partners partner ON partner.program_id = program.id
        JOIN ledger_lines line ON line.program_id = partner.program_id AND line.partner_id = partner.id
          AND line.available_at > ${scope.at} AND 'earned' IN (line.from_account, line.to_account)
        WHERE program.id = ${scope.programId} AND ${matchingPartners(scope)}
        GROUP BY line.currency, day) one
      WHERE cents > 0 ORDER BY currency, day) next USING (currency)
    ORDER BY 1`.execute(db)
  return rows.map(({ nextOn, nextCents, ...total }) => ({ ...total, next: toNext(nextOn, nextCents) }))
}

const toNext = (on: string | null, amountCents: number | null): NextPayable =>
  on === null || amountCents === null ? null : { on, amountCents }

type Release = HoldScope & { keys: HeldKey[]; releasedBy: string; clock: () => Date }

/**
 * Ends the hold period of those of the commissions that are still held: what is booked under the old date is reversed under that date and
 * booked again as payable now, so held and payable sums stay consistent. Idempotent, because a released commission is no longer held.
 */
export const releaseHolds = async (tx: Tx, { keys, clock, releasedBy, ...scope }: Release) => {
  const { programId } = scope
  await lockPartners(tx, { programId, partnerIds: [...new Set(keys.map(({ partnerId }) => partnerId))] })
  const at = clock()
  const among = sql`AND commission.id = ${anyOf(keys.map(({ id }) => id))}`
  const { rows: held } = await sql<Held>`${selectHeld({ ...scope, at }, among)} ORDER BY commission.id`.execute(tx)
  if (held.length > 0) {
    await insertReleases(tx, { programId, held, releasedBy, at })
    await appendLines(tx, { programId, at, lines: held.flatMap((one) => linesOf(one, at)) })
    await setPayableAt(tx, { programId, ids: held.map(({ id }) => id), payableAt: at, at })
  }
  return { at, released: totalsOf(held.map(totalOf)) }
}

type Partners = { programId: number; partnerIds: number[] }

/** In the order of locks: a partner cannot be suspended meanwhile, and refunds, disputes and payouts wait. */
const lockPartners = async (tx: Tx, { programId, partnerIds }: Partners) => {
  await sql`
    SELECT FROM partners partner
    WHERE partner.program_id = ${programId} AND partner.id = ${anyOf(partnerIds)}
    ORDER BY partner.id FOR SHARE`.execute(tx)
  await sql`
    SELECT FROM partner_accounts account
    WHERE account.program_id = ${programId} AND account.partner_id = ${anyOf(partnerIds)}
    ORDER BY account.partner_id, account.currency FOR UPDATE`.execute(tx)
}

const linesOf = ({ id: commissionId, partnerId, currency, payableAt, ...standing }: Held, at: Date) =>
  movesBetween({ ...standing, payableAt, openLines: [] }, { ...standing, payableAt: at }).map((move) => ({
    ...move,
    partnerId,
    currency,
    commissionId,
    cause: HOLD_RELEASED,
  }))

type Releases = { programId: number; held: Held[]; releasedBy: string; at: Date }

const insertReleases = (tx: Tx, { programId, held, releasedBy, at }: Releases) => {
  const column = columnsOf(held)
  return sql`
    INSERT INTO hold_releases (program_id, commission_id, held_until, released_at, released_by)
    SELECT ${programId}, id, payable_at, ${at}, ${releasedBy}
    FROM unnest(${column('id', 'bigint')}, ${column('payableAt', 'timestamptz')}) AS held(id, payable_at)`.execute(tx)
}

const totalOf = ({ currency, promised, disputed, review }: Held): Total => ({
  currency,
  commissions: 1,
  amountCents: promised - disputed - review,
})

export const totalsOf = (parts: Total[]): Total[] =>
  [...Map.groupBy(parts, ({ currency }) => currency)]
    .map(([currency, rows]) => ({
      currency,
      commissions: rows.reduce((sum, { commissions }) => sum + commissions, 0),
      amountCents: rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    }))
    .toSorted((a, b) => a.currency.localeCompare(b.currency))

/** Who released a commission, when, and when its hold period would have ended; null if no one did. */
export type HoldRelease = { heldUntil: Date; releasedAt: Date; by: string | null }

export const findHoldRelease = async (
  db: Database,
  { programId, commissionId }: { programId: number; commissionId: number },
): Promise<HoldRelease | null> => {
  const row = await db
    .selectFrom('holdReleases')
    .select(['heldUntil', 'releasedAt', 'releasedBy'])
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .executeTakeFirst()
  if (!row) return null
  const { releasedBy, ...release } = row
  return { ...release, by: nameOf(await usersById(db, [releasedBy]), releasedBy) }
}
