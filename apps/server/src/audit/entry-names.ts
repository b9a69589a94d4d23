import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

const number = sql`substring(audit_entries.subject from '([0-9]+)$')::bigint`

/** What the entry itself says, for things that were deleted since. */
const recorded = (field: string) => sql`coalesce(audit_entries.after ->> ${field}, audit_entries.before ->> ${field})`

/** The current name of the group, sale, resource, view, endpoint or API key that an entry is about; entries store only its ID. */
export const subjectNameOfEntry = sql<string | null>`CASE
    WHEN audit_entries.subject ~ '^(reward (terms )?of )?group [0-9]+$' THEN coalesce((
      SELECT name FROM partner_groups WHERE partner_groups.program_id = audit_entries.program_id AND partner_groups.id = ${number}), ${recorded('name')})
    WHEN audit_entries.subject ~ '^sale [0-9]+$' THEN (
      SELECT invoice_id FROM sales WHERE sales.program_id = audit_entries.program_id AND sales.id = ${number})
    WHEN audit_entries.subject ~ '^promotion code [0-9]+$' THEN (
      SELECT code FROM promotion_codes WHERE promotion_codes.program_id = audit_entries.program_id AND promotion_codes.id = ${number})
    WHEN audit_entries.subject ~ '^resource [0-9]+$' THEN coalesce((
      SELECT title FROM program_resources WHERE program_resources.program_id = audit_entries.program_id AND program_resources.id = ${number}), ${recorded('title')})
    WHEN audit_entries.subject ~ '^view [0-9]+$' THEN coalesce((
      SELECT name FROM saved_views WHERE saved_views.program_id = audit_entries.program_id AND saved_views.id = ${number}), ${recorded('name')})
    -- Only the host: the path often contains a token.
    WHEN audit_entries.subject ~ '^webhook endpoint [0-9]+$' THEN substring(coalesce((
      SELECT url FROM webhook_endpoints WHERE webhook_endpoints.program_id = audit_entries.program_id AND webhook_endpoints.id = ${number}),
      ${recorded('url')}) from '^https?://([^/?#]+)')
    -- A key keeps its name, which the entry of its creation has.
    WHEN audit_entries.subject LIKE 'API key %' THEN ${recorded('name')}
  END`

const PARTNER_FIELDS = ['partnerId', 'fromPartnerId', 'partnerIds', 'excludePartnerIds', 'lines']

/** The partner IDs in an old or new value of an entry. */
const partnerIdsIn = (value: unknown): number[] => {
  if (Array.isArray(value)) return value.flatMap((each) => (typeof each === 'number' ? [each] : partnerIdsIn(each)))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => PARTNER_FIELDS.includes(name))
    .flatMap(([, field]) => (typeof field === 'number' ? [field] : partnerIdsIn(field)))
}

type Changes = { before: unknown; after: unknown }

/** Adds the current names of the partners that the old and new values mention. */
export const withPartnerNames = async <Row extends Changes>(db: Database, programId: number, rows: Row[]) => {
  const idsOf = ({ before, after }: Row) => [...partnerIdsIn(before), ...partnerIdsIn(after)]
  const ids = [...new Set(rows.flatMap(idsOf))]
  const found =
    ids.length === 0
      ? []
      : (
          await sql<{ id: number; name: string }>`
            SELECT id, name FROM partners WHERE program_id = ${programId} AND id = ANY (${ids}::integer[])`.execute(db)
        ).rows
  return rows.map((row) => {
    const mentioned = new Set(idsOf(row))
    const partners = found.filter(({ id }) => mentioned.has(id))
    return { ...row, partnerNames: Object.fromEntries(partners.map(({ id, name }) => [String(id), name])) }
  })
}
