import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { inTransaction } from '../../src/database/transaction.ts'
import { Refusal } from '../../src/refusal.ts'
import { makeAdjustment } from '../../src/tracking/adjustments/adjust.ts'
import { reverseAdjustment } from '../../src/tracking/adjustments/reverse-adjustment.ts'
import { unique } from '../support/given.ts'
import { sized } from '../support/size.ts'
import { givenLedger, givenMoney, type Money, onlyLine } from './given-money.ts'

setDefaultTimeout(sized({ short: 120_000, long: 1_200_000 }))
const ledger = await givenLedger()
const PARTNERS = 3

type Step =
  | { do: 'assign' | 'bonus'; partner: number }
  | { do: 'void' | 'undo'; which: number }
  | { do: 'refund'; cents: number }
  | { do: 'dispute'; status: 'open' | 'won' | 'lost' }
  | { do: 'lead' | 'pay' }

const which = fc.nat(9)
const partner = fc.nat(PARTNERS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('assign' as const), partner }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bonus' as const), partner }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 3_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      status: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lead' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay' as const) }) },
)

/** What a step refuses must change nothing; anything else that fails is a bug. */
const orRefused = async <Result>(result: Promise<Result>): Promise<Result | null> =>
  result.catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })

/** One sale that arrives before its lead, and the decisions of members about it, as a plain list. */
const givenSale = async (money: Money) => {
  const customerKey = unique('late')
  const clickId = await money.click(0)
  money.clock.run()
  const { saleId, invoiceId } = await money.sale(customerKey, 10_000)
  const decisions: { id: number; kind: 'assign' | 'bonus' | 'void'; partner: number; isUndone: boolean }[] = []
  let isLed = false
  const standing = () => decisions.findLast(({ kind, isUndone }) => kind === 'assign' && !isUndone)
  const holder = () => standing()?.partner ?? (isLed ? 0 : null)
  const partnerId = (index: number) => money.links[index]?.partnerId ?? 0
  const make = (request: Parameters<typeof makeAdjustment>[1]['request']) =>
    inTransaction(ledger.db, (tx) =>
      makeAdjustment(tx, { program: money.program, userId: 'user-1', request }, money.clock.now),
    )
  const run = async (one: Step) => {
    if (one.do === 'assign') {
      const type = holder() === null ? 'credit' : 'move'
      const made = await orRefused(make({ type, saleId, partnerId: partnerId(one.partner), reason: 'asked' }))
      if (made) decisions.push({ id: made.id, kind: 'assign', partner: one.partner, isUndone: false })
      return
    }
    if (one.do === 'bonus') {
      const made = await make({
        type: 'bonus',
        partnerId: partnerId(one.partner),
        amountCents: 77,
        reason: 'well done',
      })
      decisions.push({ id: made.id, kind: 'bonus', partner: one.partner, isUndone: false })
      return
    }
    if (one.do === 'undo') {
      const open = decisions.filter(({ isUndone }) => !isUndone)
      const chosen = open[one.which % Math.max(open.length, 1)]
      if (!chosen) return
      const reversal = { programId: money.programId, adjustmentId: chosen.id, userId: 'user-1', reason: 'a mistake' }
      await inTransaction(ledger.db, (tx) => reverseAdjustment(tx, { ...reversal, clock: money.clock.now }))
      chosen.isUndone = true
      return
    }
    if (one.do === 'void') {
      const { rows } = await ledger.pool.query<{ id: string }>(
        'SELECT id FROM commissions WHERE program_id = $1 ORDER BY id',
        [money.programId],
      )
      const id = rows[one.which % Math.max(rows.length, 1)]?.id
      const made = id && (await orRefused(make({ type: 'void', commissionId: Number(id), reason: 'not theirs' })))
      if (made) decisions.push({ id: made.id, kind: 'void', partner: -1, isUndone: false })
      return
    }
    if (one.do === 'refund') await orRefused(money.refund(invoiceId, one.cents))
    if (one.do === 'dispute') await money.dispute(invoiceId, one.status)
    if (one.do === 'lead' && !isLed) {
      await money.lead(customerKey, clickId)
      isLed = true
    }
    if (one.do === 'pay') {
      const payout = await orRefused(money.pay())
      if (payout?.lines.length === 1) await money.mark(onlyLine(payout), 'paid')
    }
  }
  return { run, holder, saleId, decisions }
}

/** What partners were promised for the sale, by partner; voided ones and those set aside are at zero. */
const promisedFor = async (money: Money) => {
  const { rows } = await ledger.pool.query<{ partner_id: number; cents: string }>(
    `SELECT commissions.partner_id, sum(CASE 'program' WHEN from_account THEN line.amount_cents WHEN to_account THEN -line.amount_cents ELSE 0 END) AS cents
    FROM commissions JOIN ledger_lines line ON line.program_id = commissions.program_id AND line.commission_id = commissions.id
    WHERE commissions.program_id = $1 AND kind IN ('sale', 'credited') GROUP BY commissions.partner_id`,
    [money.programId],
  )
  return rows.filter(({ cents }) => Number(cents) !== 0).map((row) => row.partner_id)
}

const HISTORIES = sized({ short: 6, long: 200 })

test(`after ${HISTORIES} random histories of adjustments and reports, at most the holder is promised money and verify is clean`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const money = await givenMoney(ledger, undefined, PARTNERS)
      const { run, holder } = await givenSale(money)
      for (const one of steps) {
        await run(one)
        const owner = holder()
        const promised = await promisedFor(money)
        expect(promised.filter((id) => owner === null || id !== money.links[owner]?.partnerId)).toEqual([])
      }
      expect((await money.verify()).differences).toEqual([])
    }),
    { numRuns: HISTORIES },
  )
})
