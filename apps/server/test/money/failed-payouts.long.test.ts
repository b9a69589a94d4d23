import { expect, setDefaultTimeout, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import { commissionTotals, listCommissions } from '../../src/money/commissions/list-commissions.ts'
import { findPayoutLines } from '../../src/money/payouts/find-payout-lines.ts'
import { Refusal } from '../../src/refusal.ts'
import { makeAdjustment } from '../../src/tracking/adjustments/adjust.ts'
import { reverseAdjustment } from '../../src/tracking/adjustments/reverse-adjustment.ts'
import { expectEveryEvent } from '../outbox/every-event.ts'
import { seeded } from '../support/seeded.ts'
import { sized } from '../support/size.ts'
import { expectStatesAgree } from './expect-states-agree.ts'
import { givenLedger, givenMoney, type Money, onlyLine } from './given-money.ts'

setDefaultTimeout(sized({ short: 120_000, long: 3_600_000 }))
const ledger = await givenLedger()

/** A program with one partner, and the manual decisions of its members. */
const givenProgram = async () => {
  const money = await givenMoney(ledger)
  money.clock.run()
  const adjust = (request: Parameters<typeof makeAdjustment>[1]['request']) =>
    inTransaction(ledger.db, (tx) =>
      makeAdjustment(tx, { program: money.program, userId: 'user-1', request }, money.clock.now),
    )
  const bonus = async (amountCents: number) => {
    const partnerId = money.links[0]?.partnerId ?? 0
    await adjust({ type: 'bonus', partnerId, amountCents, reason: 'well done' })
    return (await commissionsOf(money)).at(-1)?.id ?? 0
  }
  const undo = (adjustmentId: number) =>
    inTransaction(ledger.db, (tx) =>
      reverseAdjustment(tx, {
        programId: money.programId,
        adjustmentId,
        userId: 'user-1',
        reason: 'a mistake',
        clock: money.clock.now,
      }),
    )
  const payLine = async () => onlyLine(await money.pay())
  return { ...money, bonus, undo, payLine }
}

const commissionsOf = async ({ programId, clock }: Pick<Money, 'programId' | 'clock'>) => {
  const query = { programId, at: clock.now(), sort: 'earnedAt' as const, page: 1, pageSize: 1_000 }
  return (await listCommissions(ledger.db, query)).rows.toSorted((a, b) => a.id - b.id)
}

const paidOf = async (money: Money) =>
  (await commissionsOf(money)).map(({ state, paidCents, inPayoutCents }) => [state, paidCents, inPayoutCents])

const paidInTotals = async ({ programId, clock }: Money) =>
  (await commissionTotals(ledger.db, { programId, at: clock.now() }))
    .filter(({ state }) => state === 'paid')
    .reduce((sum, { amountCents }) => sum + amountCents, 0)

/** What lists, totals, lines, balances and events say about the partner's money is the same. */
const expectAgreement = async (money: Money) => {
  await expectStatesAgree(ledger, money)
  await expectEveryEvent(ledger.owner, { programId: money.programId })
}
const expectNoDifferences = async (money: Money) => {
  await expectAgreement(money)
  expect((await money.verify()).differences).toEqual([])
}

test('a bonus whose void was undone is unpaid when the payout that took it fails, whatever later payouts pay', async () => {
  const money = await givenProgram()
  const voided = await money.bonus(1_000)
  await money.bonus(500)
  const first = await money.payLine()
  const voidId = await money.void(voided)
  await money.mark(first, 'paid')
  await money.undo(voidId)
  const second = await money.payLine()
  await money.bonus(200)
  const third = await money.payLine()
  await money.mark(second, 'failed')
  await money.mark(third, 'paid')

  expect(await money.balance()).toMatchObject({ payableCents: 1_000, paidCents: 700 })
  expect(await paidOf(money)).toEqual([
    ['payable', 0, 0],
    ['paid', 500, 0],
    ['paid', 200, 0],
  ])
  expect(await paidInTotals(money)).toBe(700)
  await expectNoDifferences(money)
})

test('a refund deducted by a payout that fails leaves its commission paid until another payout deducts it', async () => {
  const money = await givenProgram()
  const customer = await money.customer()
  const { invoiceId } = await money.sale(customer, 20_000)
  await money.mark(await money.payLine(), 'paid')
  await money.refund(invoiceId)
  await money.sale(customer, 40_000)
  const second = await money.payLine()
  await money.sale(customer, 2_000)
  const third = await money.payLine()
  await money.mark(third, 'paid')
  await money.mark(second, 'failed')

  expect(await money.balance()).toMatchObject({ payableCents: 2_000, paidCents: 2_200 })
  expect(await paidOf(money)).toEqual([
    ['reversed', 2_000, 0],
    ['payable', 0, 0],
    ['paid', 200, 0],
  ])
  await expectNoDifferences(money)

  await money.mark(await money.payLine(), 'paid')
  expect(await paidOf(money)).toEqual([
    ['reversed', 0, 0],
    ['paid', 4_000, 0],
    ['paid', 200, 0],
  ])
  await expectNoDifferences(money)
})

test('a refund of a commission that a failed payout returned reduces the next payout that takes it', async () => {
  const money = await givenProgram()
  const voided = await money.bonus(1_000)
  await money.bonus(500)
  const first = await money.payLine()
  const voidId = await money.void(voided)
  await money.mark(first, 'paid')
  await money.undo(voidId)
  const second = await money.payLine()
  await money.bonus(200)
  await money.payLine()
  await money.mark(second, 'failed')
  await money.bonus(300)
  const last = await money.payLine()
  await money.void(voided)

  const [line] = await findPayoutLines(ledger.db, { programId: money.programId, ...last })
  expect(line).toMatchObject({ reservedCents: 1_300, amountCents: 300 })
  expect(await money.balance()).toMatchObject({ payableCents: 0 })
  await expectNoDifferences(money)
})

/** What a step refuses must change nothing; anything else that fails is a bug. */
const unlessRefused = async <Result>(result: Promise<Result>): Promise<Result | null> =>
  result.catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })

/** Sales and bonuses, what is reported and decided about them, and payouts, in any order. */
const givenHistory = async (random: () => number) => {
  const money = await givenProgram()
  const customer = await money.customer()
  const invoices: string[] = []
  const voids: number[] = []
  const pick = <One>(list: One[]) => list[Math.floor(random() * list.length)]
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const openLines = async () => {
    const { rows } = await ledger.pool.query<{ payout_id: string; id: string }>(
      "SELECT payout_id, id FROM payout_lines WHERE program_id = $1 AND status = 'open' ORDER BY id",
      [money.programId],
    )
    return rows.map(({ payout_id, id }) => ({ payoutId: Number(payout_id), lineId: Number(id) }))
  }
  const onInvoice = async (run: (invoiceId: string) => Promise<unknown>) => {
    const invoiceId = pick(invoices)
    if (invoiceId !== undefined) await unlessRefused(run(invoiceId))
  }
  const onCommission = async (run: (id: number) => Promise<unknown>) => {
    const { rows } = await ledger.pool.query<{ id: string }>(
      'SELECT id FROM commissions WHERE program_id = $1 ORDER BY id',
      [money.programId],
    )
    const id = pick(rows)?.id
    if (id !== undefined) await unlessRefused(run(Number(id)))
  }
  const onLine = async (run: (line: { payoutId: number; lineId: number }) => Promise<unknown>) => {
    const line = pick(await openLines())
    if (line) await unlessRefused(run(line))
  }
  const dispute = (status: 'open' | 'won' | 'lost') => () =>
    onInvoice((invoiceId) => money.dispute(invoiceId, status, pick(['a', 'b'])))
  const steps: Record<string, { weight: number; run: () => Promise<unknown> }> = {
    sale: { weight: 4, run: async () => invoices.push((await money.sale(customer, upTo(20_000))).invoiceId) },
    bonus: { weight: 4, run: () => money.bonus(upTo(1_000)) },
    refund: {
      weight: 4,
      run: () => onInvoice((invoiceId) => money.refund(invoiceId, pick([null, 100, 5_000]) ?? null)),
    },
    'open dispute': { weight: 2, run: dispute('open') },
    'won dispute': { weight: 2, run: dispute('won') },
    'lost dispute': { weight: 1, run: dispute('lost') },
    void: { weight: 3, run: () => onCommission(async (id) => voids.push(await money.void(id))) },
    undo: {
      weight: 4,
      run: async () => {
        const [id] = voids.splice(Math.floor(random() * voids.length), 1)
        if (id !== undefined) await unlessRefused(money.undo(id))
      },
    },
    review: {
      weight: 1,
      run: () => onCommission((id) => money.review(id, pick(['released', 'rejected'] as const) ?? 'released')),
    },
    status: {
      weight: 1,
      run: () => money.setStatus(pick(['approved', 'approved', 'approved', 'suspended'] as const) ?? 'approved'),
    },
    pay: { weight: 6, run: () => unlessRefused(money.pay()) },
    export: { weight: 2, run: () => onLine(({ payoutId }) => money.exportAll(payoutId)) },
    paid: { weight: 3, run: () => onLine((line) => money.mark(line, 'paid')) },
    failed: { weight: 5, run: () => onLine((line) => money.mark(line, 'failed')) },
  }
  const names = Object.entries(steps).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))
  const step = async () => {
    const name = pick(names) ?? ''
    await steps[name]?.run()
    return name
  }
  return { money, step }
}

const STEPS = sized({ short: 100, long: 5_000 })
/** Long enough for several payouts, short enough that every comparison is quick. */
const STEPS_PER_PROGRAM = 50

const { seed, random } = seeded()
test(`commissions, payout lines, balances, statements and events agree after each of ${STEPS} random steps (seed ${seed})`, async () => {
  for (let done = 0; done < STEPS; done += STEPS_PER_PROGRAM) {
    const { money, step } = await givenHistory(random)
    const taken: string[] = []
    for (let index = 0; index < STEPS_PER_PROGRAM; index++) {
      taken.push(await step())
      await expectAgreement(money).catch((error) => {
        throw new Error(`after ${taken.join(', ')}: ${error.message}`)
      })
    }
    await expectNoDifferences(money)
  }
})
