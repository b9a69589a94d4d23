import type { changePartnerRequest, createPartnerRequest } from '@tributary/contract'
import type { z } from 'zod'
import { anyOf } from '../database/any-of.ts'
import { isUniqueViolation } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { codeFrom } from './partner-codes.ts'

const COLUMNS = ['id', 'name', 'email', 'code', 'status', 'createdAt'] as const
const ATTEMPTS = 5

type NewPartner = z.infer<typeof createPartnerRequest> & { programId: number; createdAt: Date }

/** A code that the caller chose is theirs or refused; one that we make up is made up again if it is taken. */
export const createPartner = async (db: Database | Tx, { code, ...partner }: NewPartner) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db
        .insertInto('partners')
        .values({ ...partner, code: code ?? codeFrom(partner.name, attempt) })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow()
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      if (code !== undefined || attempt === ATTEMPTS)
        throw new Refusal('conflict', 'Another partner of this program has this code. Choose another code.', {
          field: 'code',
        })
    }
  }
}

type Change = z.infer<typeof changePartnerRequest> & { programId: number; id: number }

export const changePartner = (db: Database | Tx, { programId, id, ...change }: Change) =>
  db
    .updateTable('partners')
    .set((expression) => ({ id: expression.ref('id'), ...change }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()

export const partnerExists = async (db: Database, { programId, id }: { programId: number; id: number }) =>
  Boolean(
    await db
      .selectFrom('partners')
      .select('id')
      .where('programId', '=', programId)
      .where('id', '=', id)
      .executeTakeFirst(),
  )

/** Only approved partners count for `hasPartners`. */
export const hasApprovedPartner = async (db: Database, programId: number) =>
  Boolean(
    await db
      .selectFrom('partners')
      .select('id')
      .where('programId', '=', programId)
      .where('status', '=', 'approved')
      .limit(1)
      .executeTakeFirst(),
  )

/** Whom to pay, by partner. */
export const contactsOf = async (db: Database | Tx, { programId, ids }: { programId: number; ids: number[] }) => {
  if (ids.length === 0) return new Map<number, { name: string; email: string | null; code: string }>()
  const rows = await db
    .selectFrom('partners')
    .select(['id', 'name', 'email', 'code'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, ...contact }) => [id, contact]))
}
