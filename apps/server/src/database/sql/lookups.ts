import { sql } from 'kysely'

/**
 * All references of the payment with this reference, including itself: a sale can use any of them. A payment that did not state
 * its program may be stored under another program of the workspace.
 */
export const referencesOfPayment = ({ programId, invoiceId }: { programId: number; invoiceId: string }) => sql<string>`(
  SELECT ${invoiceId}::text COLLATE "C" UNION
  SELECT other.reference FROM programs own
  JOIN programs sibling ON sibling.workspace_id = own.workspace_id
  JOIN payment_references named ON named.program_id = sibling.id AND named.reference = ${invoiceId}
  JOIN payment_references other ON other.program_id = named.program_id AND other.payment_id = named.payment_id
  WHERE own.id = ${programId})`

/** Any of the payment's references. As an array, so that an index finds the rows. */
export const anyReferenceOf = ({
  programId,
  paymentId,
}: {
  programId: number
  paymentId: number
}) => sql<string>`any(ARRAY(
  SELECT known.reference FROM payment_references known WHERE known.program_id = ${programId} AND known.payment_id = ${paymentId}))`

/** Any program in the workspace of a program. */
export const anyProgramOfWorkspace = (programId: number) => sql<number>`any(ARRAY(
  SELECT sibling.id FROM programs program JOIN programs sibling ON sibling.workspace_id = program.workspace_id
  WHERE program.id = ${programId}))`

/** The click records a search term matches: a click ID, or the record of the customer with that key. */
export const matchingRecords = (programId: number, word: string) => sql<string>`(
  SELECT ${word}::text COLLATE "C"
  UNION ALL SELECT click_id FROM customer_keys WHERE program_id = ${programId} AND customer_key = ${word})`
