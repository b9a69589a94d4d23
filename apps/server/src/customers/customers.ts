import { type Selectable, sql } from 'kysely'
import { gathered, inPlace } from '../database/side-by-side.ts'
import type { Customers } from '../database/tables.ts'
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

export type Customer = Pick<Selectable<Customers>, (typeof COLUMNS)[number]>

type Key = { programId: number; customerKey: string }

export const findCustomerByKey = gathered(async (db, keys: Key[]) => {
  const { rows } = await sql<Customer & { nth: number }>`
    SELECT nth, customer.* FROM unnest(${keys.map(({ programId }) => programId)}::integer[],
      ${keys.map(({ customerKey }) => customerKey)}::text[]) WITH ORDINALITY AS asked(program_id, customer_key, nth)
    CROSS JOIN LATERAL (
      SELECT ${sql.join(COLUMNS.map((column) => sql.ref(column)))} FROM customers
      WHERE customers.program_id = asked.program_id AND customers.customer_key = asked.customer_key LIMIT 1) customer`.execute(
    db,
  )
  return inPlace(rows, keys)
})

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

/** In one order for all: two transactions that mark several customers do not wait for each other crosswise. */
export const markAsBuyer = gathered(async (tx, buyers: { programId: number; clickId: string }[]) => {
  const sorted = buyers.toSorted((a, b) => (a.clickId < b.clickId ? -1 : 1))
  await sql`
    UPDATE customers SET customer_status = 'customer'
    FROM unnest(${sorted.map(({ programId }) => programId)}::integer[], ${sorted.map(({ clickId }) => clickId)}::text[])
      AS buyer(program_id, click_id)
    WHERE customers.program_id = buyer.program_id AND customers.click_id = buyer.click_id
      AND customer_status = 'lead'`.execute(tx)
  return buyers
})

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
