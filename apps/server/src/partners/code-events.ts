import type { PublishedEventData } from '@tributary/contract'
import { sql } from 'kysely'
import { definePublished } from '../outbox/publish-changes.ts'

type Code = PublishedEventData['code.created']

export const CODES = definePublished<'code.created'>({
  name: 'code',
  rank: 2.5,
  read: async (tx, programId, ids) => {
    const { rows } = await sql<Omit<Code, 'createdAt'> & { createdAt: Date }>`
      SELECT id, code, partner_id, active, requested, processor, external_id, created_at FROM promotion_codes
      WHERE program_id = ${programId} AND id = ANY (${ids}::integer[])`.execute(tx)
    return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
  },
  typesOf: (before) => [before ? 'code.updated' : 'code.created'],
})
