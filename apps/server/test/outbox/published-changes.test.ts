import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { PUBLISHED_TABLES } from '../../src/database/published-tables.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { COMMISSIONS } from '../../src/money/commissions/commission-events.ts'
import { PAYOUT_LINES } from '../../src/money/payouts/payout-events.ts'
import { changing, type PublishedKind } from '../../src/outbox/publish-changes.ts'
import { CODES } from '../../src/partners/code-events.ts'
import { LINKS, PARTNERS } from '../../src/partners/partner-events.ts'
import { SALES } from '../../src/sales/sale-events.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { eventsOf } from './given-events.ts'

const service = await givenService()
const KINDS = [PARTNERS, LINKS, CODES, SALES, COMMISSIONS, PAYOUT_LINES] as unknown as PublishedKind[]

type Change = { name: PublishedKind['name']; table: string; column: string; values: [string | number, string | number] }
const CHANGES: Change[] = [
  { name: 'partner', table: 'partners', column: 'name', values: ['first', 'last'] },
  { name: 'link', table: 'referral_links', column: 'aff', values: ['first-aff', 'last-aff'] },
  { name: 'sale', table: 'sales', column: 'currency', values: ['EUR', 'GBP'] },
  { name: 'commission', table: 'commissions', column: 'currency', values: ['EUR', 'GBP'] },
  { name: 'payout', table: 'payout_lines', column: 'currency', values: ['EUR', 'GBP'] },
]

/** A program with one object of each kind. */
const givenObjects = async () => {
  const shop = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  await givenSale(shop, 1_000)
  await shop.pay()
  const events = eventsOf(service, shop.key)
  const before = (await events()).length
  return { programId: shop.id, linkPartner: shop.link.partnerId, newEvents: async () => (await events()).slice(before) }
}

const idIn = async (table: string, programId: number): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${sql.table(table)} WHERE program_id = ${programId} ORDER BY id LIMIT 1`.execute(service.db)
  return rows[0]?.id ?? 0
}

type Steps = { set: (value: unknown) => Promise<unknown>; restore: () => Promise<unknown> }

/** Writes to the first object of the kind in one transaction: any value, or the stored one. */
const change = async ({ name, table, column }: Change, programId: number, run: (steps: Steps) => Promise<unknown>) => {
  const id = await idIn(table, programId)
  const ofObject = sql`WHERE program_id = ${programId} AND id = ${id}`
  const { rows } = await sql<{ value: unknown }>`
    SELECT ${sql.ref(column)} AS value FROM ${sql.table(table)} ${ofObject}`.execute(service.db)
  await inTransaction(service.db, async (tx) => {
    const set = async (value: unknown) => {
      const writer = await changing(tx, name, { programId, ids: [id], at: service.clock.now() })
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value} ${ofObject}`.execute(writer)
    }
    await run({ set, restore: () => set(rows[0]?.value) })
  })
}

describe('changes of one transaction', () => {
  for (const kind of CHANGES)
    test(`two of a ${kind.name} are one event with the last state; none if undone or rolled back`, async () => {
      const { programId, newEvents } = await givenObjects()
      const [first, last] = kind.values
      await change(kind, programId, async ({ set }) => {
        await set(first)
        await set(last)
      })
      const [event, ...others] = await newEvents()
      expect(event).toMatchObject({ type: `${kind.name}.updated`, data: { [kind.column]: last } })
      expect(event?.changes).toEqual({ [kind.column]: [expect.anything(), last] })
      expect(others).toEqual([])

      await change(kind, programId, async ({ set, restore }) => {
        await set(first)
        await restore()
      })
      const rollBack = change(kind, programId, async ({ set }) => {
        await set(first)
        throw new Error('rolled back')
      })
      await expect(rollBack).rejects.toThrow('rolled back')
      expect(await newEvents()).toHaveLength(1)
    })

  test('an object cannot be deleted, because no event says so', async () => {
    const { programId, linkPartner: partnerId, newEvents } = await givenObjects()
    const at = service.clock.now()
    const values = { programId, partnerId, aff: `gone-${programId}`, createdAt: at }
    const { id } = await service.db.insertInto('referralLinks').values(values).returning('id').executeTakeFirstOrThrow()
    const remove = inTransaction(service.db, async (tx) => {
      const writer = await changing(tx, 'link', { programId, ids: [id], at })
      await writer.deleteFrom('referralLinks').where('programId', '=', programId).where('id', '=', id).execute()
    })
    await expect(remove).rejects.toThrow(`link ${id} was deleted`)
    expect(await newEvents()).toEqual([])
  })
})

/** Tables that events read without a writer, because nothing that events show of them ever changes without one. */
const FIXED = [
  'outbox_payable', // `settleHolds` writes it for the commissions that `changing` has read.
  'partner_groups', // The default group stays the default.
  'payout_statement_items', // Written with their line: what is in an open line is in no event.
  'payouts', // The time of a payout is fixed.
]

test('every table that events read is a published one', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(service.db)
  const stored = new Set(rows.map(({ name }) => name))
  const read = new Set<string>()
  const spying = service.db.withPlugin({
    transformQuery: ({ node }) => {
      const text = JSON.stringify(node, (_, value) => (typeof value === 'bigint' ? Number(value) : value)).replaceAll(
        '\\n',
        ' ',
      )
      for (const [, table = ''] of text.matchAll(/\b(?:FROM|JOIN) ([a-z_]+)\b/g)) if (stored.has(table)) read.add(table)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  for (const { read } of KINDS) await inTransaction(spying, (tx) => read(tx, 1, [1]))
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  expect([...read].toSorted()).toEqual([...PUBLISHED_TABLES.map(snake), ...FIXED].toSorted())
})
