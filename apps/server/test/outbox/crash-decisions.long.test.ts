import { describe, test } from 'bun:test'
import type { Database } from '../../src/database/connect.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { announceApproved, announcePayable } from '../../src/money/commissions/announce-payable.ts'
import { confirmDraft, findOpenDraftId, prepareDraftIn } from '../../src/money/payouts/drafts.ts'
import { lockTerms } from '../../src/money/rewards/reward-terms.ts'
import { changePartner } from '../../src/partners/partners.ts'
import { adjust } from '../../src/tracking/adjustments/adjust.ts'
import { reverseAdjustment } from '../../src/tracking/adjustments/reverse-adjustment.ts'
import { movePartners } from '../../src/tracking/groups/move-partners.ts'
import { beginRewardBackfill } from '../../src/tracking/sales/apply-to-earlier.ts'
import { runBackfill } from '../../src/tracking/sales/backfill-reward.ts'
import { crashEverywhere, type Operation } from '../money/crash-everywhere.ts'
import { DAY_MS, givenLedger, givenMoney, type Money, onlyLine, TEN_PERCENT } from '../money/given-money.ts'
import { SECRETS } from '../support/service.ts'

/** After all tests, the events of every program must agree with its tables (every-event.ts). */
const ledger = await givenLedger()
const db: Database = ledger.db
const { hashKey } = SECRETS

const HELD = { ...TEN_PERCENT, holdDays: 1 }

const partnerOf = ({ links }: Money, partner = 0) => links[partner]?.partnerId ?? 0

const commissionOf = async ({ programId }: Money) =>
  (await db.selectFrom('commissions').select('id').where('programId', '=', programId).executeTakeFirstOrThrow()).id

/** A program with one sale, and its commission. */
const givenSold = async (reward: Parameters<typeof givenMoney>[1] = TEN_PERCENT, partners = 1) => {
  const money = await givenMoney(ledger, reward, partners)
  const { saleId } = await money.sale(await money.customer(), 1_000, 'in-1')
  return { money, saleId, commissionId: await commissionOf(money) }
}

/** A sale of the partner to themselves, which waits for a review. */
const givenReviewed = async () => {
  const money = await givenMoney(ledger)
  await money.sale(await money.customer(0, money.links[0]?.email), 1_000, 'in-1')
  return { money, commissionId: await commissionOf(money) }
}

type Request = Parameters<typeof adjust>[1]['request']

const adjusting = (money: Money, request: Omit<Request, 'reason' | 'idempotencyKey'>) => {
  const call = { program: money.program, userId: 'user-1' }
  const named = { ...request, reason: 'asked by mail', idempotencyKey: 'once' } as Request
  return (handle = db) =>
    inTransaction(handle, (tx) => adjust(tx, { ...call, request: named, hashKey, clock: money.clock.now }))
}

const undoing = async (money: Money, request: Parameters<typeof adjusting>[1]): Promise<Operation> => {
  const { id: adjustmentId } = await adjusting(money, request)()
  const { programId } = money
  const undo = { programId, adjustmentId, userId: 'user-1', reason: 'a mistake' }
  const run = (handle = db) => inTransaction(handle, (tx) => reverseAdjustment(tx, { ...undo, clock: money.clock.now }))
  return { money, run }
}

const ADJUSTMENTS: Record<string, () => Promise<Operation>> = {
  bonus: async () => {
    const money = await givenMoney(ledger)
    return { money, run: adjusting(money, { type: 'bonus', partnerId: partnerOf(money), amountCents: 500 } as Request) }
  },
  'manual commission': async () => {
    const money = await givenMoney(ledger, HELD)
    const request = { type: 'commission', partnerId: partnerOf(money), amountCents: 500 } as Request
    return { money, run: adjusting(money, request) }
  },
  void: async () => {
    const { money, commissionId } = await givenSold()
    return { money, run: (handle) => money.void(commissionId, handle) }
  },
  'void undone': async () => {
    const { money, commissionId } = await givenSold()
    return undoing(money, { type: 'void', commissionId } as Request)
  },
  'sale credited manually': async () => {
    const money = await givenMoney(ledger)
    const { saleId } = await money.sale('nobody', 1_000, 'in-1')
    return { money, run: adjusting(money, { type: 'credit', saleId, partnerId: partnerOf(money) } as Request) }
  },
  'sale moved to another partner': async () => {
    const { money, saleId } = await givenSold(TEN_PERCENT, 2)
    return { money, run: adjusting(money, { type: 'move', saleId, partnerId: partnerOf(money, 1) } as Request) }
  },
  'move undone': async () => {
    const { money, saleId } = await givenSold(TEN_PERCENT, 2)
    return undoing(money, { type: 'move', saleId, partnerId: partnerOf(money, 1) } as Request)
  },
}

const prepareDraft = (money: Money, handle = db) =>
  inTransaction(handle, (tx) =>
    prepareDraftIn(tx, {
      programId: money.programId,
      period: '2026-11-01',
      at: money.clock.now(),
      announce: async () => {},
    }),
  )

/** A scheduled day has come. */
const givenScheduled = async () => {
  const { money } = await givenSold()
  await ledger.pool.query(
    `INSERT INTO payout_schedules (program_id, frequency, day, last_period, updated_at) VALUES ($1, 'monthly', 1, '2026-10-01', now())`,
    [money.programId],
  )
  return money
}

const givenDraft = async () => {
  const money = await givenScheduled()
  await prepareDraft(money)
  return { money, draftId: (await findOpenDraftId(db, money.programId)) ?? 0 }
}

const PAYOUTS: Record<string, () => Promise<Operation>> = {
  'line marked failed': async () => {
    const { money } = await givenSold()
    const line = onlyLine(await money.pay())
    return { money, run: (handle) => money.mark(line, 'failed', null, handle) }
  },
  'draft prepared': async () => {
    const money = await givenScheduled()
    return { money, run: (handle) => prepareDraft(money, handle) }
  },
  'draft confirmed': async () => {
    const { money, draftId } = await givenDraft()
    const { programId, clock } = money
    const confirm = { programId, draftId, createdBy: 'user-1' }
    return {
      money,
      run: (handle = db) => inTransaction(handle, (tx) => confirmDraft(tx, { ...confirm, at: clock.now() })),
    }
  },
  'hold periods that have ended': async () => {
    const { money } = await givenSold(HELD)
    await ledger.pool.query('INSERT INTO outbox_heads (program_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      money.programId,
    ])
    money.clock.advance(DAY_MS)
    return { money, run: (handle = db) => announcePayable({ db: handle, clock: money.clock.now }), isJob: true }
  },
}

const setStatus = (money: Money, status: 'approved' | 'suspended', handle = db) =>
  inTransaction(handle, async (tx) => {
    const [at, id] = [money.clock.now(), partnerOf(money)]
    await changePartner(tx, { programId: money.programId, id, status, at })
    if (status === 'approved') await announceApproved(tx, { programId: money.programId, partnerIds: [id], at })
  })

const DECISIONS: Record<string, () => Promise<Operation>> = {
  'review released': async () => {
    const { money, commissionId } = await givenReviewed()
    return { money, run: (handle) => money.review(commissionId, 'released', handle) }
  },
  'review rejected': async () => {
    const { money, commissionId } = await givenReviewed()
    return { money, run: (handle) => money.review(commissionId, 'rejected', handle) }
  },
  'partner suspended': async () => {
    const { money } = await givenSold()
    return { money, run: (handle) => setStatus(money, 'suspended', handle) }
  },
  'partner approved again after the hold period': async () => {
    const { money } = await givenSold(HELD)
    await setStatus(money, 'suspended')
    money.clock.advance(DAY_MS)
    return { money, run: (handle) => setStatus(money, 'approved', handle) }
  },
  'partner moved to another group': async () => {
    const { money } = await givenSold()
    const { programId, clock } = money
    const { rows } = await ledger.pool.query(
      `INSERT INTO partner_groups (program_id, name, is_default, created_at) VALUES ($1, 'Other', false, now()) RETURNING id`,
      [programId],
    )
    const move = { programId, partnerIds: [partnerOf(money)], groupId: rows[0].id, userId: 'user-1' }
    const run = (handle = db) =>
      inTransaction(handle, async (tx) => {
        await lockTerms(tx, programId)
        await movePartners(tx, { ...move, at: clock.now() })
      })
    return { money, run }
  },
  'terms changed': async () => {
    const { money } = await givenSold()
    const countTerms = async () =>
      (await db.selectFrom('rewardTerms').select('version').where('programId', '=', money.programId).execute()).length
    const before = await countTerms()
    // Someone who changed them already sees that.
    const run = async (handle = db) =>
      (await countTerms()) > before || money.changeTerms({ ...TEN_PERCENT, holdDays: 7 }, null, null, handle)
    return { money, run }
  },
  'first terms applied to earlier sales': async () => {
    const money = await givenMoney(ledger, {})
    const { programId, program, clock } = money
    await money.sale(await money.customer(), 1_000, 'in-1')
    await ledger.pool.query('DELETE FROM reward_terms WHERE program_id = $1', [programId])
    const request = {
      lead: null,
      sale: { percentBps: 1_000, duration: 'lifetime' },
      holdDays: 0,
      minimumPayoutCents: 0,
    }
    const first = { program, userId: 'user-1', request: request as never, at: clock.now() }
    await inTransaction(db, async (tx) => {
      await lockTerms(tx, programId)
      await beginRewardBackfill(tx, first)
    })
    const run = (handle = db) => runBackfill({ db: handle, clock: clock.now, hashKey }, { programId, maxCustomers: 10 })
    return { money, run, isJob: true }
  },
}

describe('no event without its change and no change without its event, whichever statement a crash hits:', () => {
  for (const [name, given] of Object.entries({ ...ADJUSTMENTS, ...PAYOUTS, ...DECISIONS }))
    test(name, () => crashEverywhere(ledger, given))
})
