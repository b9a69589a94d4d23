import { afterAll } from 'bun:test'
import type { PartnerStatus } from '@tributary/contract'
import type pg from 'pg'
import { createBatchQueue } from '../../src/database/batches.ts'
import { type Database, openDatabase, openPool } from '../../src/database/connect.ts'
import { inLongTransaction, inTransaction } from '../../src/database/transaction.ts'
import { findHeld, releaseHolds } from '../../src/money/commissions/release-holds.ts'
import { balances } from '../../src/money/ledger/ledger.ts'
import { sealProgram } from '../../src/money/ledger/seal.ts'
import { lockLinesToExport, recordExport } from '../../src/money/payouts/export-lines.ts'
import { findPayoutLine, findPayoutLines } from '../../src/money/payouts/find-payout-lines.ts'
import { decidePayoutLine } from '../../src/money/payouts/payout-lines.ts'
import { createPayout } from '../../src/money/payouts/payouts.ts'
import { closeReview } from '../../src/money/reviews/close-review.ts'
import { changeReward } from '../../src/money/rewards/change-reward.ts'
import { lockTerms } from '../../src/money/rewards/reward-terms.ts'
import { changePartner } from '../../src/partners/partners.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { voidCommission } from '../../src/tracking/adjustments/void-commission.ts'
import { writeClicks } from '../../src/tracking/clicks/write-clicks.ts'
import { recordLead, recordLeads } from '../../src/tracking/leads/record-lead.ts'
import { syncPayment } from '../../src/tracking/payments/sync-payments.ts'
import { verifyPayments } from '../../src/tracking/payments/verify-payments.ts'
import { recordRefund } from '../../src/tracking/sales/record-refund.ts'
import { recordSale, recordSales } from '../../src/tracking/sales/record-sale.ts'
import { expectEveryEvent } from '../outbox/every-event.ts'
import { clickRow } from '../support/click-row.ts'
import { unique } from '../support/given.ts'
import { createTestDatabase, dropTestDatabase } from '../support/postgres.ts'
import { recordDispute } from '../support/record-dispute.ts'
import { reusableDatabase } from '../support/reusable-database.ts'
import { inSeparateTransactions } from '../support/separate-transactions.ts'
import { SECRETS } from '../support/service.ts'
import { openUntimedDatabase } from '../support/untimed-database.ts'
import { verifyProgram } from '../support/verify-program.ts'

export type Reward = Parameters<typeof changeReward>[1]['request']

const NOTHING: Reward = { lead: null, sale: null, holdDays: 0, minimumPayoutCents: 0 }
export const TEN_PERCENT: Partial<Reward> = { sale: { percentBps: 1_000, duration: 'lifetime' } }

export const DAY_MS = 86_400_000

/**
 * An empty database: `pool` owns it and may tamper, `db` is the service's connection. Afterwards the events must agree with the
 * tables, unless the test changes those behind the service's back. Files of one process use the same one, one after the other.
 */
export const givenLedger = async ({ tampers = false } = {}) => {
  const ledger = (tampers ? null : takeKept()) ?? (await openLedger())
  const { reusable, close, ...forTests } = ledger
  afterAll(async () => {
    if (tampers) return close()
    await expectEveryEvent(forTests.owner)
    if (shared.keptLedger || !(await isReusable(ledger))) return close()
    await reusable.empty()
    shared.keptLedger = ledger
  })
  return forTests
}

/** The ledger that no file uses now. */
const shared = globalThis as typeof globalThis & { keptLedger?: Awaited<ReturnType<typeof openLedger>> | undefined }

const takeKept = () => {
  const kept = shared.keptLedger
  shared.keptLedger = undefined
  return kept
}

const openLedger = async () => {
  const databaseUrl = await createTestDatabase()
  const pool = openPool(databaseUrl, { max: 4, noTimeouts: true })
  const { pool: appPool, db } = openUntimedDatabase(databaseUrl, { max: 16 })
  const reusable = await reusableDatabase(pool)
  const close = async () => {
    await appPool.end()
    await pool.end()
    await dropTestDatabase(databaseUrl)
  }
  return { databaseUrl, pool, appPool, db, owner: openDatabase(pool), reusable, close }
}

const isReusable = async ({ appPool, reusable }: Awaited<ReturnType<typeof openLedger>>) =>
  !appPool.ending && appPool.idleCount === appPool.totalCount && (await reusable.isReusable())

export type Ledger = Awaited<ReturnType<typeof givenLedger>>

type SignUp = { customerKey: string; clickId: string | null; email?: string | null }
type NewSale = {
  customerKey: string
  amountCents: number
  grossCents?: number | null
  invoiceId?: string
  clickId?: string
}

/** A clock that only the test advances, to decide which amounts are held and which are payable. */
const manualClock = () => {
  let at = Date.now()
  let tickMs = 0
  return {
    now: () => {
      at += tickMs
      return new Date(at)
    },
    /** From now on every reading returns a later time, as in consecutive transactions. */
    run: () => {
      tickMs = 1
    },
    advance: (milliseconds: number) => {
      at += milliseconds
    },
  }
}

/** A program with partners and links, with functions that call every money operation directly. */
export const givenMoney = async ({ db: whole, pool }: Ledger, reward: Partial<Reward> = TEN_PERCENT, partners = 1) => {
  const db: Database = whole
  const clock = manualClock()
  const links = await makeProgram(pool, partners)
  const programId = links[0]?.programId ?? 0
  const program = await findProgram(db, programId)
  if (!program) throw new Error('the program does not exist')
  const dependencies = { clock: clock.now, hashKey: SECRETS.hashKey }
  const on = (handle: Database) => ({
    db: handle,
    batches: inSeparateTransactions(handle, dependencies),
    ...dependencies,
  })

  const changeTerms = (
    request: Partial<Reward>,
    partnerId: number | null = null,
    groupId: number | null = null,
    handle = db,
  ) =>
    inTransaction(handle, async (tx) => {
      await lockTerms(tx, programId)
      // Later events get a later time.
      clock.advance(1)
      const change = { programId, partnerId, groupId, currency: program.currency, at: clock.now() }
      return changeReward(tx, { ...change, request: { ...NOTHING, ...request } })
    })
  await changeTerms(reward)

  const leadCall = ({ customerKey, clickId, email = null }: SignUp) => ({
    program,
    event: 'server_lead' as const,
    request: { customer_key: customerKey, click_id: clickId, email },
  })
  const browserCall = (customerKey: string, clickId: string) => ({
    program: { ...program, leadAuth: 'browser_allowed' as const },
    event: 'browser_sign_up' as const,
    request: { customer_key: customerKey, click_id: clickId, email: null },
  })
  const saleCall = (sold: NewSale) => ({
    program,
    eventName: null,
    subscriptionId: null,
    metadata: null,
    currency: program.currency,
    clickId: null,
    invoiceId: unique('invoice'),
    ...sold,
  })

  /** Records leads and sales as the service does: concurrent ones share a transaction if they can. */
  const underLoad = (handle: Database) => {
    const batches = {
      leads: createBatchQueue(handle, recordLeads(dependencies), () => program.workspaceId),
      sales: createBatchQueue(handle, recordSales(dependencies, syncPayment), () => program.workspaceId),
    }
    const using = { db: handle, batches }
    return {
      lead: (signUp: SignUp) => recordLead(using, leadCall(signUp)),
      browserLead: (customerKey: string, clickId: string) => recordLead(using, browserCall(customerKey, clickId)),
      sale: (sold: NewSale) => recordSale(using, saleCall(sold)),
    }
  }

  const money = {
    programId,
    program,
    clock,
    links,
    changeTerms,
    click: async (partner = 0, visitorHash: string | null = null, existingClickId: string | null = null) => {
      const aff = links[partner]?.aff ?? ''
      const row = clickRow(aff, unique('token'), { clickedAt: clock.now(), visitorHash, existingClickId })
      const [written] = await writeClicks(pool, [row], 0)
      if (!written || written.refusal) throw new Error('the click was refused')
      return written.click_id
    },
    lead: (customerKey: string, clickId: string | null, { handle = db, email = null as string | null } = {}) =>
      recordLead(on(handle), leadCall({ customerKey, clickId, email })),
    /** A browser lead in a browser_allowed program. */
    browserLead: (customerKey: string, clickId: string, handle = db) =>
      recordLead(on(handle), browserCall(customerKey, clickId)),
    concurrentLeads: (signUps: SignUp[], handle = db) => {
      const { lead } = underLoad(handle)
      return Promise.allSettled(signUps.map(lead))
    },
    customer: async (partner = 0, email: string | null = null) => {
      const key = unique('customer')
      await money.lead(key, await money.click(partner), { email })
      return key
    },
    sale: (customerKey: string, amountCents: number, invoiceId = unique('invoice'), handle = db) =>
      recordSale(on(handle), saleCall({ customerKey, amountCents, invoiceId })).then((recorded) => ({
        ...recorded,
        invoiceId,
      })),
    concurrentSales: (sales: NewSale[], handle = db) => {
      const { sale } = underLoad(handle)
      return Promise.allSettled(sales.map(sale))
    },
    underLoad: () => underLoad(db),
    refund: (invoiceId: string, amountCents: number | null = null, refundId: string | null = null, handle = db) =>
      recordRefund(on(handle), {
        programId,
        workspaceId: program.workspaceId,
        invoiceId,
        amountCents,
        refundId,
        currency: null,
        reason: null,
      }),
    dispute: (invoiceId: string, status: 'open' | 'won' | 'lost', disputeId = 'd-1', handle = db) =>
      recordDispute(on(handle), { programId, invoiceId, disputeId, status }),
    review: (commissionId: number, decision: 'released' | 'rejected', handle = db) =>
      inTransaction(handle, (tx) =>
        closeReview(tx, {
          programId,
          commissionId,
          decision,
          decisionNote: 'looked at',
          decidedBy: 'user-1',
          at: clock.now(),
        }),
      ),
    void: (commissionId: number, handle = db) =>
      inTransaction(handle, (tx) =>
        voidCommission(tx, {
          programId,
          commissionId,
          reason: 'a test order',
          note: null,
          userId: 'user-1',
          at: clock.now(),
        }),
      ),
    releaseHolds: async (partner: number | null = null, handle = db) => {
      const scope = { programId, ...(partner !== null && { partnerId: links[partner]?.partnerId }) }
      const keys = await findHeld(handle, { ...scope, at: clock.now() })
      return inTransaction(handle, (tx) => releaseHolds(tx, { ...scope, keys, releasedBy: 'user-1', clock: clock.now }))
    },
    /** Like the API call: resolves after the commit. */
    setStatus: (status: PartnerStatus, partner = 0, handle = db) =>
      inTransaction(handle, (tx) =>
        changePartner(tx, { programId, id: links[partner]?.partnerId ?? 0, status, at: clock.now() }),
      ),
    pay: async (handle = db) => {
      const at = clock.now()
      await sealProgram(handle, { programId, at })
      const payout = { programId, createdBy: 'user-1', at }
      const { payoutId } = await inLongTransaction(handle, (tx) => createPayout(tx, payout))
      return { payoutId, lines: await findPayoutLines(db, { programId, payoutId }) }
    },
    /** As a CSV file with every line. */
    exportAll: (payoutId: number) =>
      inTransaction(db, async (tx) => {
        const found = await lockLinesToExport(tx, { programId, payoutId, currency: undefined })
        const lines = found.map((line) => ({ ...line, account: null }))
        await recordExport(tx, { programId, method: null, lines })
      }),
    mark: async (
      { payoutId, lineId }: { payoutId: number; lineId: number },
      status: 'paid' | 'failed',
      amountCents: number | null = null,
      handle = db,
    ) => {
      const line = await findPayoutLine(db, { programId, payoutId, id: lineId })
      if (!line) throw new Error(`no line ${lineId}`)
      const payment = { reference: null, paidAt: null, note: null, createdOn: { day: '2000-01-01', timezone: 'UTC' } }
      const decision = { programId, line, status, amountCents, ...payment, at: clock.now() }
      return (await inTransaction(handle, (tx) => decidePayoutLine(tx, decision))).after
    },
    seal: () => sealProgram(db, { programId, at: clock.now() }),
    balance: async (partner = 0) => {
      const partnerId = links[partner]?.partnerId ?? 0
      const [found] = await balances(db, { programId, at: clock.now(), partnerId })
      return found ?? EMPTY
    },
    verify: (sealedBefore: Date | null = null) =>
      verifyProgram(db, { programId, sealedBefore, furtherChecks: [verifyPayments] }),
  }
  return money
}
export type Money = Awaited<ReturnType<typeof givenMoney>>

const EMPTY = { heldCents: 0, payableCents: 0, batchedCents: 0, paidCents: 0, reviewCents: 0, disputedCents: 0 }

type Link = { programId: number; partnerId: number; linkId: number; aff: string; email: string }

const makeProgram = async (pool: pg.Pool, partners: number): Promise<Link[]> => {
  const workspace = unique('workspace')
  await pool.query('INSERT INTO workspaces (id, name, slug) VALUES ($1, $1, $1)', [workspace])
  const { rows } = await pool.query(
    "INSERT INTO programs (workspace_id, name, created_at, cookie_window_days) VALUES ($1, 'Test', now(), 365) RETURNING id",
    [workspace],
  )
  const programId: number = rows[0].id
  await pool.query(
    "INSERT INTO partner_groups (program_id, name, is_default, created_at) VALUES ($1, 'Default', true, now())",
    [programId],
  )
  const links: Link[] = []
  for (let index = 0; index < partners; index++) {
    const [aff, email] = [unique('aff'), `${unique('partner')}@example.com`]
    const made = await pool.query(
      `WITH partner AS (INSERT INTO partners (program_id, name, code, email, status, created_at)
        VALUES ($1, 'Partner', $2, $3, 'approved', now()) RETURNING id)
      INSERT INTO referral_links (aff, program_id, partner_id, active, created_at) SELECT $2, $1, id, true, now() FROM partner
      RETURNING id, partner_id`,
      [programId, aff, email],
    )
    links.push({ programId, partnerId: made.rows[0].partner_id, linkId: made.rows[0].id, aff, email })
  }
  return links
}

/** For payouts with one partner and one currency: their only line. */
export const onlyLine = ({ payoutId, lines }: { payoutId: number; lines: { id: number }[] }) => {
  const [line] = lines
  if (!line || lines.length > 1) throw new Error('expected one line')
  return { payoutId, lineId: line.id }
}
