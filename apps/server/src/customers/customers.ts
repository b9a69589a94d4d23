import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { KeptEmail } from './emails.ts'

const COLUMNS = [
  'clickId',
  'customerStatus',
  'customerKey',
  'linkId',
  'partnerId',
  'creditedClickAt',
  'firstClickedAt',
  'lastClickedAt',
] as const

export type Customer = NonNullable<Awaited<ReturnType<typeof findCustomerByKey>>>

export const findCustomerByKey = (
  db: Database | Tx,
  { programId, customerKey }: { programId: number; customerKey: string },
) =>
  db
    .selectFrom('customers')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('customerKey', '=', customerKey)
    .executeTakeFirst()

/** The record of a click, locked, so that two leads of one click are decided one after the other. */
export const lockCustomerByClick = (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) =>
  tx
    .selectFrom('customers')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Whoever asks whether a key is known, in order to act on the answer, holds this lock from before the question. */
export const lockCustomerKey = (tx: Tx, { programId, customerKey }: { programId: number; customerKey: string }) =>
  tx
    .insertInto('customerKeys')
    .values({ programId, customerKey })
    .onConflict((conflict) => conflict.columns(['programId', 'customerKey']).doUpdateSet({ customerKey }))
    .execute()

type Settlement = { programId: number; clickId: string; customerKey: string; email: KeptEmail | null }

export const settleCustomer = (tx: Tx, { programId, clickId, customerKey, email }: Settlement) =>
  tx
    .updateTable('customers')
    .set({ customerKey, customerStatus: 'lead', emailHash: email?.hash ?? null, emailMasked: email?.masked ?? null })
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .execute()

/** A second customer from a click that already brought one: the same clicks and partner, a `click_id` of its own. */
export const copyCustomer = (tx: Tx, { programId, clickId, customerKey, email }: Settlement, from: Customer) =>
  tx
    .insertInto('customers')
    .values({
      ...from,
      programId,
      clickId,
      customerKey,
      customerStatus: 'lead',
      emailHash: email?.hash ?? null,
      emailMasked: email?.masked ?? null,
    })
    .execute()

export const markAsBuyer = (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) =>
  tx
    .updateTable('customers')
    .set({ customerStatus: 'customer' })
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .where('customerStatus', '=', 'lead')
    .execute()

type Forgetting = { programId: number; customerKey: string | null; token: string }

/** The customer stays as somebody without a name. The key is free again, for whoever comes with it. */
export const forgetCustomer = async (tx: Tx, { programId, customerKey, token }: Forgetting) => {
  if (customerKey === null) return 0
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ customerKey: token, emailHash: null, emailMasked: null })
    .where('programId', '=', programId)
    .where('customerKey', '=', customerKey)
    .executeTakeFirst()
  await tx
    .deleteFrom('customerKeys')
    .where('programId', '=', programId)
    .where('customerKey', '=', customerKey)
    .execute()
  return Number(numUpdatedRows)
}
