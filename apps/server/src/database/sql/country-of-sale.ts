import { sql } from 'kysely'

/** SQL fragment: the country of the click that the customer of the sale with this alias was credited for at the time; null if unknown. */
export const clickCountry = (sale: string) => sql<string | null>`(
  SELECT seen.country FROM click_events seen
  WHERE seen.program_id = ${sql.ref(`${sale}.program_id`)} AND seen.click_id = ${sql.ref(`${sale}.click_id`)}
    AND seen.clicked_at <= ${sql.ref(`${sale}.sold_at`)} AND seen.device IS DISTINCT FROM 'bot'
  ORDER BY seen.partner_id = ${sql.ref(`${sale}.partner_id`)} DESC, seen.clicked_at DESC, seen.id DESC LIMIT 1)`

/** SQL fragment: the same, kept with the sale once a rule has looked at it. */
export const countryOfSale = (sale: string) => sql<string | null>`
  CASE WHEN ${sql.ref(`${sale}.click_country`)} IS NULL THEN ${clickCountry(sale)} ELSE nullif(${sql.ref(`${sale}.click_country`)}, '') END`
