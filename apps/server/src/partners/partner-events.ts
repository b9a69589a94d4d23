import type { PublishedEventData, PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import { groupAt } from '../database/sql/group-at.ts'
import { definePublished } from '../outbox/publish-changes.ts'

type Partner = PublishedEventData['partner.applied']
type Link = PublishedEventData['link.created']
type Stored<Data extends { createdAt: string }> = Omit<Data, 'createdAt'> & { createdAt: Date }

const STATUS_EVENTS: Record<Partner['status'], PublishedEventType> = {
  pending: 'partner.applied',
  approved: 'partner.approved',
  rejected: 'partner.rejected',
  suspended: 'partner.suspended',
}

export const PARTNERS = definePublished<'partner.applied'>({
  name: 'partner',
  rank: 1,
  lock: (tx, programId, ids) =>
    sql`SELECT FROM partners WHERE program_id = ${programId} AND id = ANY (${ids}::integer[])
      ORDER BY id FOR NO KEY UPDATE`.execute(tx),
  read: async (tx, programId, ids) => {
    const { rows } = await sql<Stored<Partner>>`
      SELECT id, name, email, code, status, ${groupAt({ programId: sql`partner.program_id`, partnerId: sql`partner.id` })} AS group_id,
        archived, created_at
      FROM partners partner WHERE program_id = ${programId} AND id = ANY (${ids}::integer[])`.execute(tx)
    return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
  },
  typesOf: (before, { status }, changed) => {
    if (!before) return [STATUS_EVENTS[status]]
    // A partner who is set back to pending has not applied again.
    const types = changed.has('status') && status !== 'pending' ? [STATUS_EVENTS[status]] : []
    if (types.length > 0) changed.delete('status')
    return changed.size > 0 ? [...types, 'partner.updated'] : types
  },
})

export const LINKS = definePublished<'link.created'>({
  name: 'link',
  rank: 2,
  read: async (tx, programId, ids) => {
    const { rows } = await sql<Stored<Link>>`
      SELECT id, aff, partner_id, destination_url, active, created_at FROM referral_links
      WHERE program_id = ${programId} AND id = ANY (${ids}::integer[])`.execute(tx)
    return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
  },
  typesOf: (before) => [before ? 'link.updated' : 'link.created'],
})
