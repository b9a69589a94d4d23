import { type RawBuilder, sql } from 'kysely'

type PartnerAt = { programId: RawBuilder<unknown>; partnerId: RawBuilder<unknown>; at?: RawBuilder<unknown> }

/**
 * The group a partner is in, or was in at a time: the one they were last moved to, else the program's default group. It decides
 * which reward terms apply to an event.
 */
export const groupAt = ({ programId, partnerId, at }: PartnerAt) => sql<number>`coalesce((
  SELECT change.group_id FROM partner_group_changes change
  WHERE change.program_id = ${programId} AND change.partner_id = ${partnerId} ${at ? sql`AND change.valid_from <= ${at}` : sql``}
  ORDER BY change.id DESC LIMIT 1), (
  SELECT fallback.id FROM partner_groups fallback WHERE fallback.program_id = ${programId} AND fallback.is_default))`
