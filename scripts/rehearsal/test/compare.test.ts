import { expect, test } from 'bun:test'
import { compareEverything, compareUntil } from '../compare.ts'
import type { Book } from '../traffic.ts'

const sale = { invoiceId: 'invoice_1_2', amountCents: 999, refundedCents: 333, commissionCents: 100 }
const RECORDED = { ...sale, commissionReversedCents: 33 }
const BALANCE = { earnedCents: 250 + 67, reviewCents: 0 }

const givenBook = (): Book => ({
  sales: new Map([['invoice_1_2', { amount: 999, refund: 333, at: 1_000, refundedAt: 2_000 }]]),
  leads: new Map([[1, 500]]),
  sent: new Map([['invoice_1_2', { amount: 999, refund: 333 }]]),
  unfinished: new Set(),
})
const givenShop = (sales = [RECORDED], balance = BALANCE) => ({
  sales: async () => sales,
  balance: async () => balance,
})

test('a rehearsal passes if every sale and the balance are as acknowledged, and says what is not', async () => {
  expect(await compareEverything(givenShop(), givenBook())).toContain('balance 3.17 USD')
  const wrong: [string, ReturnType<typeof givenShop>][] = [
    ['is missing', givenShop([])],
    ['recorded twice', givenShop([RECORDED, RECORDED])],
    ['never sent', givenShop([RECORDED, { ...RECORDED, invoiceId: 'invoice_9_1' }])],
    ['should be 999, 333, 100, 33', givenShop([{ ...RECORDED, commissionCents: 101 }])],
    ['should be 999, 333, 100, 33', givenShop([{ ...RECORDED, refundedCents: 0, commissionReversedCents: 0 }])],
    ['should have 317 cents and has 318', givenShop([RECORDED], { earnedCents: 318, reviewCents: 0 })],
    ['250 cents are in review', givenShop([RECORDED], { earnedCents: 67, reviewCents: 250 })],
  ]
  for (const [problem, shop] of wrong) await expect(compareEverything(shop, givenBook())).rejects.toThrow(problem)
})

test('after a restore, only what was acknowledged later may be missing, and its customers are named', async () => {
  expect(await compareUntil(givenShop(), givenBook(), 3_000)).toEqual({ again: new Set(), kept: 1, missing: 0 })
  expect(await compareUntil(givenShop([]), givenBook(), 900)).toEqual({ again: new Set([1]), kept: 0, missing: 1 })
  const withoutRefund = givenShop([{ ...RECORDED, refundedCents: 0, commissionReversedCents: 0 }])
  expect(await compareUntil(withoutRefund, givenBook(), 1_500)).toEqual({ again: new Set([1]), kept: 1, missing: 0 })
  await expect(compareUntil(withoutRefund, givenBook(), 2_000)).rejects.toThrow('should be 999, 333')
  await expect(compareUntil(givenShop([]), givenBook(), 1_000)).rejects.toThrow('invoice_1_2 is missing')
})
