import { type RawBuilder, sql } from 'kysely'

/**
 * What an erased customer with the same key was already paid for (docs/decisions/0009). Events that had earned nothing count
 * once the program's first terms are backfilled and pay for them. Read while the terms are locked.
 */
const isPaidByFirstTerms = (row: string, pays: RawBuilder<unknown>) => sql`EXISTS (
  SELECT FROM reward_backfills applied
  JOIN reward_terms terms ON terms.program_id = applied.program_id AND terms.version = applied.terms_version
  WHERE applied.program_id = ${sql.ref(`${row}.programId`)} AND ${pays})`

/** Whether their lead was paid. `lead`: a row of leads. */
export const leadPaidBefore = (lead: string) => sql<boolean>`(${sql.ref(`${lead}.rewardedBefore`)}
  OR (${sql.ref(`${lead}.unpaidBefore`)} AND ${isPaidByFirstTerms(lead, sql`terms.lead_amount_cents IS NOT NULL`)}))`

/** When they made their first paid sale. `row`: of leads or sales. */
export const firstSoldBefore = (row: string) => sql<Date | null>`least(${sql.ref(`${row}.firstSoldBefore`)},
  CASE WHEN ${sql.ref(`${row}.unpaidSoldBefore`)} IS NOT NULL AND ${isPaidByFirstTerms(row, sql`num_nonnulls(terms.sale_duration, terms.sale_rules) > 0`)}
    THEN ${sql.ref(`${row}.unpaidSoldBefore`)} END)`
