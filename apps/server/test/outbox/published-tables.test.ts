import { describe, expect, test } from 'bun:test'
import { PUBLISHED_TABLES } from '../../src/database/published-tables.ts'
import type { Tx } from '../../src/database/transaction.ts'
import { sourceFiles } from '../support/source-files.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const TABLES = PUBLISHED_TABLES.join('|')
const BUILT = new RegExp(
  `([\\w.()]+)\\s*\\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\\('(?:${TABLES})\\b`,
  'g',
)
const WRITTEN = new RegExp(
  `\\b(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO) (?:${PUBLISHED_TABLES.map(snake).join('|')})\\b`,
  'g',
)

/** Queries that write a published table with something else than the `Writer` that `changing` or `creating` returned. */
const careless = (text: string) =>
  [...text.matchAll(BUILT)]
    .filter(([, by = '']) => !['writer', 'withoutEvent(tx)'].includes(by))
    .map(([query]) => query)

const filesWith = (find: (text: string) => string[]) =>
  sourceFiles
    .flatMap(({ path, text }) => find(text).map((found) => `${path}: ${found.replaceAll(/\s+/g, ' ')}`))
    .toSorted()

describe('a change of what events show is published', () => {
  test('every query that writes a published table needs a writer', () => {
    expect(careless("tx.updateTable('sales')")).toEqual(["tx.updateTable('sales"])
    expect(careless("await db\n    .insertInto('refunds')")).toHaveLength(1)
    expect(
      careless("writer.updateTable('sales')\n withoutEvent(tx).deleteFrom('partners')\n tx.updateTable('leads')"),
    ).toEqual([])
    expect(sourceFiles.flatMap(({ text }) => [...text.matchAll(BUILT)]).length).toBeGreaterThan(20)
    expect(filesWith(careless)).toEqual([])
  })

  test('a transaction has no such query', () => {
    const statements = (tx: Tx) => [
      // @ts-expect-error: name the objects with `changing` first, which returns a writer.
      tx.updateTable('sales').set({ reason: null }),
      // @ts-expect-error
      tx.insertInto('refunds').values([]),
      // @ts-expect-error
      tx.deleteFrom('partners').where('id', '=', 1),
      tx.updateTable('leads').set({ state: 'settled' }),
    ]
    expect(statements).toBeFunction()
  })

  test('every statement in SQL that writes a published table publishes it', () => {
    expect(filesWith((text) => [...text.matchAll(WRITTEN)].map(([statement]) => statement))).toEqual([
      // Published by the statement that contains it (commission-events.ts), or only in part of a new commission.
      'money/commissions/commissions.ts: INSERT INTO commissions',
      'money/ledger/ledger.ts: INSERT INTO ledger_lines',
      // Exported amounts are in no event.
      'money/payouts/export-lines.ts: UPDATE payout_lines',
      // Published by the statement that contains it (sale-events.ts).
      'sales/sales.ts: INSERT INTO sales',
      // With a writer.
      'sales/sales.ts: UPDATE sales',
      // The country of the click is in no event.
      'sales/sales.ts: UPDATE sales',
    ])
  })

  test('writes without an event are known', () => {
    expect(filesWith((text) => [...text.matchAll(/withoutEvent\(/g)].map(([use]) => use))).toEqual([
      'money/payouts/export-lines.ts: withoutEvent(',
      'money/payouts/export-lines.ts: withoutEvent(',
      'money/reviews/reviews.ts: withoutEvent(',
      'sales/sales.ts: withoutEvent(',
      'sales/sales.ts: withoutEvent(',
    ])
  })
})
