import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { findCustomerByKey, lockCustomerByClick } from '../src/customers/customers.ts'
import { findLeadByClick } from '../src/customers/leads.ts'
import type { Tx } from '../src/database/transaction.ts'
import { findFirstSale, hasCreditedSale, lockWaitingSales } from '../src/sales/customer-sales.ts'
import { clickStatement } from '../src/tracking/clicks/write-clicks.ts'
import { givenLedger } from './money/given-money.ts'

const { owner } = await givenLedger()
const ofCustomer = { programId: 1, clickId: 'c', customerKey: 'k' }

/** Statements with correlated subqueries, and the columns that each must take from its own table. */
const STATEMENTS: Record<string, { columns: string[]; run: (tx: Tx) => Promise<unknown> }> = {
  findCustomerByKey: {
    columns: ['customer_keys.click_id', 'customer_keys.customer_key', 'customers.customer_key', 'customers.program_id'],
    run: (tx) => findCustomerByKey(tx, ofCustomer),
  },
  lockCustomerByClick: { columns: ['customers.click_id'], run: (tx) => lockCustomerByClick(tx, ofCustomer) },
  findLeadByClick: { columns: ['leads.click_id', 'leads.program_id'], run: (tx) => findLeadByClick(tx, ofCustomer) },
  lockWaitingSales: {
    columns: ['sales.customer_key', 'sales.credit_source', 'sales.program_id'],
    run: (tx) => lockWaitingSales(tx, ofCustomer),
  },
  findFirstSale: {
    columns: ['sales.sold_at', 'sales.click_id', 'commissions.sale_id'],
    run: (tx) => findFirstSale(tx, { ...ofCustomer, saleId: 1, soldAt: new Date() }),
  },
  hasCreditedSale: { columns: ['sales.click_id', 'sales.program_id'], run: (tx) => hasCreditedSale(tx, ofCustomer) },
  clickStatement: {
    columns: ['partners.program_id', 'partners.status', 'customers.click_id', 'customers.program_id'],
    run: (tx) => sql.raw(`PREPARE clicks AS ${clickStatement({ mayBeKnown: true, mayBeStored: true })}`).execute(tx),
  },
}

const CASES = Object.entries(STATEMENTS).flatMap(([name, { columns }]) => columns.map((column) => [name, column]))

/** The error of the statement if the column has another name, as in another version's schema. */
const errorWithout = (name: string, column: string) =>
  owner.transaction().execute(async (tx) => {
    const [table = '', field = ''] = column.split('.')
    await sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN ${sql.id(field)} TO of_another_version`.execute(tx)
    await STATEMENTS[name]?.run(tx)
    throw new Error('the statement found a column of the same name in another table')
  })

test.each(CASES)('%s without %s fails instead of reading another table’s column', async (name = '', column = '') => {
  await expect(errorWithout(name, column)).rejects.toThrow(/does not exist/)
})
