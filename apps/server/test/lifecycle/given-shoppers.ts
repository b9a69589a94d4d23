import { expect } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { givenProgram } from '../support/given.ts'
import type { TestService } from '../support/service.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { afterwards, type Service, until } from './given-service.ts'

const LEAD_CENTS = 250
const PERCENT = 10
export const CALLERS = 8
export const CUSTOMERS_PER_PHASE = 60

/** A program with money for leads and sales, and its database. */
export const givenProgramOn = async (url: string) => {
  const pool = openPool(url, { max: 2, name: 'test', noTimeouts: true })
  afterwards(() => pool.end())
  const db = openDatabase(pool)
  const program = await givenProgram({ db, clock: { now: () => new Date() } } as TestService)
  await pool.query(
    `INSERT INTO reward_terms (program_id, version, currency, lead_amount_cents, sale_percent_bps, sale_duration, valid_from)
     VALUES ($1, 1, 'USD', ${LEAD_CENTS}, ${PERCENT * 100}, 'lifetime', now() - interval '1 day')`,
    [program.id],
  )
  return { ...program, db, pool }
}

/** Visitors who click, sign up, buy and get a part of it back, each call on the next of the running nodes. */
export const givenShoppers = (nodes: Service[], program: { key: string; link: { url: string } }) => {
  const sales = new Map<string, { amount: number; refund: number }>()
  const failures: string[] = []
  const refused = { calls: 0, connections: 0 }
  const served = new Map<Service, number>()
  let calls = 0
  /** Retries like the SDK: a 503 says so, and a node that stops may close a connection. */
  const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
    for (;;) {
      const node = nodes[calls++ % nodes.length] as Service
      const response = await fetch(`http://localhost:${node.port}/api/v1/track/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${program.key}` },
        body: JSON.stringify(body),
      }).catch(() => null)
      const answer = (await response?.json()) as Record<string, unknown>
      if (response?.ok || response?.status === 409) {
        served.set(node, (served.get(node) ?? 0) + 1)
        return answer
      }
      if (response) refused.calls++
      else refused.connections++
      if (response && (response.status !== 503 || !response.headers.has('retry-after')))
        failures.push(`${path} ${response.status} ${JSON.stringify(answer)}`)
      if (failures.length > 0) throw new Error(failures[0])
      await Bun.sleep(50)
    }
  }
  const shop = async (number: number) => {
    const customer_key = `customer_${number}`
    const { click_id } = await call('click', { affiliate_url: program.link.url })
    await call('lead', { customer_key, click_id })
    for (const turn of [1, 2]) {
      const [amount, invoice_id] = [997 * turn + 37 * number, `invoice_${number}_${turn}`]
      const refund = turn === 1 ? 0 : Math.floor(amount / 3)
      await call('sale', { customer_key, amount, invoice_id })
      if (refund > 0) await call('refund', { invoice_id, amount: refund, refund_id: `refund_${number}` })
      sales.set(invoice_id, { amount, refund })
    }
  }
  let customers = 0
  /** A number of customers, several of them concurrently. */
  const runPhase = async () => {
    const last = customers + CUSTOMERS_PER_PHASE
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (customers < last) await shop(++customers)
      }),
    )
  }
  /** Goes on until the promise is settled. */
  const runWhile = async <Result>(work: Promise<Result>) => {
    let isOver = false
    const meanwhile = (async () => {
      while (!isOver) await runPhase()
    })()
    const result = await work.finally(() => {
      isOver = true
    })
    await meanwhile
    return result
  }
  return { nodes, sales, served, refused, runPhase, runWhile, customers: () => customers }
}

const halfUp = (numerator: number, denominator: number) => Math.floor((2 * numerator + denominator) / (2 * denominator))

type Shoppers = ReturnType<typeof givenShoppers>

/** Every acknowledged sale once, with its commission, and nothing else. */
export const expectEveryCent = async (
  { db, pool, id }: Awaited<ReturnType<typeof givenProgramOn>>,
  { sales, customers }: Shoppers,
) => {
  const { rows } = await pool.query(
    `SELECT sales.invoice_id, sales.amount_cents AS amount, commission.amount_cents AS commission
     FROM sales LEFT JOIN commissions commission ON commission.program_id = sales.program_id AND commission.sale_id = sales.id
     WHERE sales.program_id = $1`,
    [id],
  )
  const recorded = rows.map(({ invoice_id, amount, commission }) => [invoice_id, Number(amount), Number(commission)])
  const expected = [...sales].map(([invoice, { amount }]) => [invoice, amount, halfUp(amount, 100 / PERCENT)])
  expect(recorded.sort()).toEqual(expected.sort())
  const earned = await pool.query(
    // Leads of one address go to review after the first five; that is still money.
    `SELECT sum(amount_cents * ((to_account IN ('earned', 'review'))::int - (from_account IN ('earned', 'review'))::int))::int AS cents
     FROM ledger_lines WHERE program_id = $1`,
    [id],
  )
  const kept = [...sales.values()].map(({ amount, refund }) => {
    const commission = halfUp(amount, 100 / PERCENT)
    return commission - halfUp(commission * refund, amount)
  })
  expect(earned.rows[0].cents).toBe(customers() * LEAD_CENTS + kept.reduce((sum, cents) => sum + cents, 0))
  await until(async () => (await verifyProgram(db, { programId: id, sealedBefore: null })).differences.length === 0)
}
