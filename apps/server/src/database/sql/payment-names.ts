import { sql } from 'kysely'

/**
 * All names of the payment that has this one, and the name itself: a sale goes by any of them. A payment of which nobody said whose it
 * is was heard of by another program of the workspace, which then has its names.
 */
export const namesOf = ({ programId, invoiceId }: { programId: number; invoiceId: string }) => sql<string>`(
  SELECT ${invoiceId}::text COLLATE "C" UNION
  SELECT other.reference FROM programs own
  JOIN programs beside ON beside.workspace_id = own.workspace_id
  JOIN payment_references named ON named.program_id = beside.id AND named.reference = ${invoiceId}
  JOIN payment_references other ON other.program_id = named.program_id AND other.payment_id = named.payment_id
  WHERE own.id = ${programId})`
