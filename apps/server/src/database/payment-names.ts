import { sql } from 'kysely'

/** All names of the payment that has this one, and the name itself: a sale goes by any of them. */
export const namesOf = ({ programId, invoiceId }: { programId: number; invoiceId: string }) => sql<string>`(
  SELECT ${invoiceId}::text COLLATE "C" UNION
  SELECT other.reference FROM payment_references named
  JOIN payment_references other ON other.program_id = named.program_id AND other.payment_id = named.payment_id
  WHERE named.program_id = ${programId} AND named.reference = ${invoiceId})`
