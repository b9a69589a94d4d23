import type { RewardRule, RewardWarning } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { anyOfTexts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { warningsOf } from './rule-warnings.ts'

/** What is wrong with saved rules. A product that no recent sale had may be new, or misspelled. */
export const findWarnings = async (
  db: Database | Tx,
  { programId, rules }: { programId: number; rules: RewardRule[] },
): Promise<RewardWarning[]> => [...warningsOf(rules), ...(await findUnseen(db, { programId, rules }))]

const UNSEEN = {
  products: { code: 'product_not_seen', what: 'product', field: 'productId' },
  plans: { code: 'plan_not_seen', what: 'plan', field: 'planId' },
} as const

const findUnseen = async (
  db: Database | Tx,
  { programId, rules }: { programId: number; rules: RewardRule[] },
): Promise<RewardWarning[]> => {
  const named = rules.flatMap(({ when }, index) =>
    (['products', 'plans'] as const).flatMap((condition) =>
      (when?.[condition] ?? []).map((value) => ({ rule: index + 1, condition, value })),
    ),
  )
  if (named.length === 0) return []
  const seen = await findSeen(
    db,
    programId,
    named.map(({ value }) => value),
  )
  // Before the first sale with items, every product is new.
  if (!seen) return []
  return named
    .filter(({ condition, value }) => !seen.has(`${UNSEEN[condition].field} ${value}`))
    .map(({ rule, condition, value }) => {
      const { code, what } = UNSEEN[condition]
      return { code, rule, value, message: `No recent sale had the ${what} ${value} of rule ${rule}. Check the ID.` }
    })
}

/** A preview calls this with every change of the form, so it does not read the whole table. */
const RECENT_SALES = 10_000

/** Which of these products and plans recent sales have had; null if none of them has items. */
const findSeen = async (db: Database | Tx, programId: number, values: string[]) => {
  const { rows } = await sql<{ field: string | null; value: string | null }>`
    SELECT DISTINCT named.field, named.value
    FROM (SELECT items FROM sales WHERE program_id = ${programId} ORDER BY sold_at DESC LIMIT ${sql.lit(RECENT_SALES)}) recent
    CROSS JOIN LATERAL jsonb_path_query(items, '$.parts[*]') part
    CROSS JOIN LATERAL (VALUES ('productId', part->>'productId'), ('planId', part->>'planId'), (NULL, NULL)) named(field, value)
    WHERE items IS NOT NULL AND (named.field IS NULL OR named.value = ${anyOfTexts(values)})`.execute(db)
  return rows.length === 0 ? null : new Set(rows.map(({ field, value }) => `${field} ${value}`))
}
