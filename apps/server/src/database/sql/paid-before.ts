import { type RawBuilder, sql } from 'kysely'

/**
 * What an erased customer with the same key was paid for already (docs/decisions/0009). What had earned nothing when they were erased
 * counts once the first terms of the program are applied to earlier events and pay for it. Read while the terms are held.
 */
const isPaidByFirstTerms = (row: string, pays: RawBuilder<unknown>) => sql`EXISTS (
  SELECT FROM reward_backfills applied
  JOIN reward_terms terms ON terms.program_id = applied.program_id AND terms.version = applied.terms_version
  WHERE applied.program_id = ${sql.ref(`${row}.programId`)} AND ${pays})`

/** Whether their lead was. `lead`: a row of leads. */
export const leadPaidBefore = (lead: string) => sql<boolean>`(${sql.ref(`${lead}.rewardedBefore`)}
  OR (${sql.ref(`${lead}.unpaidBefore`)} AND ${isPaidByFirstTerms(lead, sql`terms.lead_amount_cents IS NOT NULL`)}))`

/** When they made the first sale that was. `row`: of leads or sales. */
export const firstSoldBefore = (row: string) => sql<Date | null>`least(${sql.ref(`${row}.firstSoldBefore`)},
  CASE WHEN ${sql.ref(`${row}.unpaidSoldBefore`)} IS NOT NULL AND ${isPaidByFirstTerms(row, sql`terms.sale_duration IS NOT NULL`)}
    THEN ${sql.ref(`${row}.unpaidSoldBefore`)} END)`
