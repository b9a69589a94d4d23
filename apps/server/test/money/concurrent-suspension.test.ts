import { describe, expect, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import { changePartner } from '../../src/partners/partners.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { givenLedger, givenMoney, type Money } from './given-money.ts'

const ledger = await givenLedger()

/** The accounts that commissions went to, and whether each was decided before the status changed. */
const firstAccounts = async ({ programId }: Money) => {
  const { rows } = await ledger.pool.query(
    "SELECT commission_id, to_account FROM ledger_lines WHERE program_id = $1 AND from_account = 'program'",
    [programId],
  )
  return new Map(rows.map((row): [number, string] => [Number(row.commission_id), row.to_account]))
}

/** A suspension that is written but not committed until the test ends it. */
const givenSuspending = async ({ programId, links }: Money) => {
  const id = links[0]?.partnerId ?? 0
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const suspending = inTransaction(ledger.db, async (tx) => {
    await changePartner(tx, { programId, id, status: 'suspended', at: new Date() })
    hold()
    await mayEnd
  })
  await isHeld
  return {
    end: () => {
      end()
      return suspending
    },
  }
}

describe('a partner is suspended while sales arrive', () => {
  test('no sale that starts after the response earns normally, in shared transactions too', async () => {
    const money = await givenMoney(ledger)
    const keys = await Promise.all(Array.from({ length: 24 }, () => money.customer()))
    const { sale } = money.underLoad()
    const before = keys.slice(0, 12).map((customerKey) => sale({ customerKey, amountCents: 1_000 }))
    await money.setStatus('suspended')
    const after = await Promise.all(keys.slice(12).map((customerKey) => sale({ customerKey, amountCents: 1_000 })))
    await Promise.all(before)
    const accounts = await firstAccounts(money)
    expect(accounts.size).toBe(24)
    expect(after.map(({ commissionId }) => accounts.get(commissionId ?? 0))).toEqual(after.map(() => 'review'))
    expect((await money.verify()).differences).toEqual([])
  })

  test('the suspension waits for a sale that still saw them approved, and a sale waits for the suspension', async () => {
    const money = await givenMoney(ledger)
    const [first, second] = [await money.customer(), await money.customer()]
    const suspending = await givenSuspending(money)
    const selling = money.sale(first, 1_000)
    await untilWaiting(ledger.pool)
    await suspending.end()
    const { commissionId } = await selling
    expect((await firstAccounts(money)).get(commissionId ?? 0)).toBe('review')
    expect(await money.sale(second, 1_000)).toMatchObject({ reason: null })
    expect(await money.balance()).toMatchObject({ payableCents: 0, reviewCents: 200 })
  })

  test('a concurrent payout either includes them and answers first, or leaves them out', async () => {
    const money = await givenMoney(ledger)
    await money.sale(await money.customer(), 1_000)
    const [paid] = await Promise.allSettled([money.pay(), money.setStatus('suspended')])
    // The balance of a suspended partner is held.
    const { batchedCents, heldCents } = await money.balance()
    expect([batchedCents, heldCents]).toEqual(paid.status === 'fulfilled' ? [100, 0] : [0, 100])
    await expect(money.pay()).rejects.toThrow('not approved')
  })

  for (const [what, begin] of [
    ['payout', (money: Money) => money.pay()],
    ['file', async (money: Money, payoutId: number) => money.exportAll(payoutId)],
  ] as const)
    test(`a ${what} waits for the suspension before it locks any balance, as a sale does`, async () => {
      const money = await givenMoney(ledger)
      const customer = await money.customer()
      await money.sale(customer, 1_000)
      const { payoutId } = what === 'file' ? await money.pay() : { payoutId: 0 }
      const suspending = await givenSuspending(money)
      const waiting = Promise.allSettled([begin(money, payoutId)])
      await untilWaiting(ledger.pool)
      const locked = await ledger.pool
        .query('SELECT FROM partner_accounts WHERE program_id = $1 FOR UPDATE NOWAIT', [money.programId])
        .catch((error: Error) => error.message)
      await suspending.end()
      await waiting
      expect(locked).toMatchObject({ rowCount: 1 })
    })

  test('leads that share a transaction go to review too', async () => {
    const money = await givenMoney(ledger, { lead: { amountCents: 500 } })
    const signUps = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => ({ customerKey: `c-${index}`, clickId: await money.click() })),
    )
    await money.setStatus('rejected')
    await money.concurrentLeads(signUps)
    expect(await money.balance()).toMatchObject({ reviewCents: 4_000, payableCents: 0 })
    expect((await money.verify()).differences).toEqual([])
  })
})
