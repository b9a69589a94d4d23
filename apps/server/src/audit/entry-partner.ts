import { sql } from 'kysely'

const number = sql`substring(audit_entries.subject from '([0-9]+)$')::bigint`

/** The current name of the partner that an entry is about; entries store only the ID because names change. */
export const partnerOfEntry = sql<string | null>`(
  SELECT name FROM partners WHERE partners.program_id = audit_entries.program_id AND partners.id = CASE
    WHEN audit_entries.subject ~ '^(reward of )?partner [0-9]+$' THEN ${number}
    WHEN audit_entries.subject LIKE 'link %' THEN (
      SELECT partner_id FROM referral_links WHERE referral_links.program_id = audit_entries.program_id AND referral_links.aff = substr(audit_entries.subject, 6))
    WHEN audit_entries.subject ~ '^commission [0-9]+$' THEN (
      SELECT partner_id FROM commissions WHERE commissions.program_id = audit_entries.program_id AND commissions.id = ${number})
    WHEN audit_entries.subject ~ '^payout line [0-9]+$' THEN (
      SELECT partner_id FROM payout_lines WHERE payout_lines.program_id = audit_entries.program_id AND payout_lines.id = ${number})
  END)`
