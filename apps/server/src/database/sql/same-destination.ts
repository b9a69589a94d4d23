import { type RawBuilder, sql } from 'kysely'

/** Shorter accounts are words such as "cash". The index partner_payout_details_of_account has the same expressions. */
const isSame = sql`length(own.account) >= 8 AND length(other.account) >= 8
  AND lower(replace(other.account, ' ', '')) = lower(replace(own.account, ' ', ''))`

const PAIRS = sql`partner_payout_details own JOIN partner_payout_details other ON other.program_id = own.program_id
    AND other.partner_id <> own.partner_id AND ${isSame}`

/** SQL fragment: the other partners with this partner's payout destination, as an array of IDs. */
export const sameDestination = (programId: RawBuilder<unknown>, partnerId: RawBuilder<unknown>) => sql<number[]>`ARRAY(
  SELECT other.partner_id FROM ${PAIRS} WHERE own.program_id = ${programId} AND own.partner_id = ${partnerId} ORDER BY 1)`

/** All partners of a program whose payout destination another one has: partner_id. */
export const partnersWithSameDestination = (programId: number) => sql<{ partnerId: number }>`
  SELECT DISTINCT own.partner_id FROM ${PAIRS} WHERE own.program_id = ${programId}`
