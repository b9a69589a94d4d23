import type { RawBuilder } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

export const findLeadByClick = (db: Database | Tx, { programId, clickId }: { programId: number; clickId: string }) =>
  db
    .selectFrom('leads')
    .select(['id', 'state'])
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .executeTakeFirst()

type Lead = { programId: number; clickId: string; linkId: number; partnerId: number }

export const keepProvisionalLead = async (tx: Tx, lead: Lead & { at: Date }) => {
  const { at: createdAt, ...values } = lead
  await tx
    .insertInto('leads')
    .values({ ...values, createdAt, state: 'provisional' })
    .onConflict((conflict) => conflict.columns(['programId', 'clickId']).doNothing())
    .execute()
}

type Settlement = {
  at: Date
  day: RawBuilder<string>
  settledBy: 'server' | 'browser' | 'processor'
  visitorHash: Uint8Array | null
}

/** Makes the lead, or the provisional one that is there, count. Settled is final: the constraint has no way back. */
export const keepSettledLead = async (tx: Tx, lead: Lead & Settlement) => {
  const { at, settledBy, visitorHash, linkId, partnerId, day: settledDay, ...key } = lead
  const settlement = { state: 'settled', settledBy, settledAt: at, day: settledDay, visitorHash, linkId, partnerId }
  const { id, day } = await tx
    .insertInto('leads')
    .values({ ...key, ...settlement, createdAt: at })
    .onConflict((conflict) => conflict.columns(['programId', 'clickId']).doUpdateSet(settlement))
    .returning(['id', 'day'])
    .executeTakeFirstOrThrow()
  if (day === null) throw new Error('a settled lead has a day')
  return { leadId: id, day }
}

/** How many leads of a day came from one visitor, this one included. */
export const countLeadsOfVisitor = async (
  tx: Tx,
  { programId, visitorHash, day }: { programId: number; visitorHash: Uint8Array; day: string },
) => {
  const { total } = await tx
    .selectFrom('leads')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('programId', '=', programId)
    .where('visitorHash', '=', visitorHash)
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return total
}

export const forgetVisitorOfLead = (tx: Tx, { programId, clickId }: { programId: number; clickId: string | null }) =>
  tx
    .updateTable('leads')
    .set({ visitorHash: null })
    .where('programId', '=', programId)
    .where('clickId', '=', clickId ?? '')
    .execute()
