import { describe, expect, test } from 'bun:test'
import { backtest as answer, type BacktestBlock, backtestProgress, rewardRequest } from '@tributary/contract'
import { backtest as runBacktest } from '../../src/money/rewards/backtest.ts'
import { proposedTerms } from '../../src/money/rewards/requested-terms.ts'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale, type PayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const now = () => service.clock.now().getTime()
/** More than 90 days on both sides of now. */
const around = () => ({ from: dayOf(now() - 100 * DAY_MS), to: dayOf(now() + 100 * DAY_MS) })

const call = ({ owner, api }: PayingProgram, body: object) => owner.call('POST', `${api}/reward/backtest`, body)

const backtest = async (program: PayingProgram, terms: object, period = around()): Promise<BacktestBlock[]> => {
  const { status, body } = await call(program, { terms, ...period })
  expect(status).toBe(200)
  return answer.parse(body.data)
}

/** For the program's only partner, in the only currency. */
const compared = async (...args: Parameters<typeof backtest>) => {
  const blocks = await backtest(...args)
  expect(blocks).toHaveLength(1)
  const [{ partners, totals }] = blocks as [BacktestBlock]
  expect(partners.length).toBeLessThanOrEqual(1)
  if (partners[0]) expect(partners[0]).toMatchObject(totals)
  return totals
}

const sums = (actualCents: number, proposedCents: number) => ({
  actualCents,
  proposedCents,
  differenceCents: proposedCents - actualCents,
})

describe('a back-test', () => {
  test('of the terms in force finds no difference, including refunds and voided commissions', async () => {
    const program = await givenPayingProgram(service, { ...TEN_PERCENT, lead: { amountCents: 150 } })
    const [refunded, voided] = [await givenSale(program, 3_333), await givenSale(program, 2_222)]
    await givenSale(program, 1_111)
    await program.refund({ invoice_id: refunded.invoice_id, amount: 1_000 })
    const path = `${program.api}/commissions/${voided.commission_id}/void`
    expect((await program.owner.call('POST', path, { reason: 'a test order' })).status).toBe(200)
    const { body } = await program.owner.call('GET', `${program.api}/reward`)
    const earned = 3 * 150 + (333 - 100) + 111
    expect(await compared(program, body.data)).toEqual(sums(earned, earned))
  })

  test('computes another percentage to the cent: rounded half up, once, on the amount after refunds', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { invoice_id } = await givenSale(program, 999)
    await program.refund({ invoice_id, amount: 333 })
    await program.refund({ invoice_id, amount: 333 })
    await givenSale(program, 10)
    // 999 at 12.5 % earns 125, and two thirds are reversed; 10 earns 1 and would have earned 1.25.
    const proposal = { sale: { percentBps: 1_250, duration: 'lifetime' } }
    expect(await compared(program, proposal)).toEqual(sums(100 - 67 + 1, 125 - 83 + 1))
  })

  test('knows which sale was the first, even before the period', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { customer_key } = await givenSale(program, 10_000)
    service.clock.advance(40 * DAY_MS)
    const before = now()
    service.clock.advance(DAY_MS)
    expect((await program.sale({ customer_key, amount: 4_000, invoice_id: unique('invoice') })).status).toBe(200)
    await givenSale(program, 3_000)
    const first = { sale: { percentBps: 1_000, duration: 'first' } }
    expect(await compared(program, first)).toEqual(sums(1_700, 1_300))
    const since = { from: new Date(before).toISOString(), to: around().to }
    expect(await compared(program, first, since)).toEqual(sums(700, 300))
    const month = { sale: { percentBps: 2_000, duration: 'months', months: 1 } }
    expect(await compared(program, month)).toEqual(sums(1_700, 2_600))
  })

  test('covers leads and flat amounts', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 200 } })
    await givenSale(program, 5_000)
    await program.customer()
    expect(await compared(program, { sale: { amountCents: 700, duration: 'first' } })).toEqual(sums(400, 700))
    expect(await compared(program, {})).toEqual(sums(400, 0))
  })

  test('shows what partners would have earned while the program had no terms', async () => {
    const program = await givenPayingProgram(service, null)
    await givenSale(program, 5_000)
    expect(await compared(program, TEN_PERCENT)).toEqual(sums(0, 500))
  })

  test('compares with the terms of the time, not with those of today', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    service.clock.advance(1_000)
    const twenty = { sale: { percentBps: 2_000, duration: 'lifetime' } }
    expect((await program.owner.call('PUT', `${program.api}/reward`, twenty)).status).toBe(200)
    await givenSale(program, 1_000)
    expect(await compared(program, twenty)).toEqual(sums(300, 400))
  })

  test('leaves custom terms of a partner unchanged', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const other = await givenLink(service, program.id)
    const own = { sale: { percentBps: 5_000, duration: 'lifetime' } }
    await program.owner.call('PUT', `${program.api}/partners/${other.partnerId}/reward`, own)
    service.clock.advance(1_000)
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id: await givenClick(service, other) })
    await program.sale({ customer_key, amount: 1_000, invoice_id: unique('invoice') })
    await givenSale(program, 1_000)
    const [block] = await backtest(program, { sale: { percentBps: 2_000, duration: 'lifetime' } })
    expect(block).toEqual({
      currency: 'USD',
      partners: [
        { partnerId: other.partnerId, partnerName: 'Partner', partnerArchived: false, ...sums(500, 500) },
        { partnerId: program.link.partnerId, partnerName: 'Partner', partnerArchived: false, ...sums(100, 200) },
      ],
      totals: sums(600, 700),
    })
  })

  test('has a block for each currency', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    await givenSale(program, 2_000, { currency: 'EUR' })
    const blocks = await backtest(program, { sale: { amountCents: 50, duration: 'lifetime' } })
    expect(blocks.map(({ currency, totals }) => ({ currency, totals }))).toEqual([
      { currency: 'EUR', totals: sums(200, 0) },
      { currency: 'USD', totals: sums(100, 100) },
    ])
  })

  test('of a program without events is one empty block', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT, { currency: 'EUR' })
    expect(await backtest(program, TEN_PERCENT)).toEqual([{ currency: 'EUR', partners: [], totals: sums(0, 0) }])
  })

  test('counts whole days in the program’s time zone', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT, { timezone: 'Pacific/Kiritimati' })
    await givenSale(program, 1_000)
    const { rows } = await service.pool.query(
      `SELECT (sold_at AT TIME ZONE 'Pacific/Kiritimati')::date::text AS day, sold_at FROM sales WHERE program_id = $1`,
      [program.id],
    )
    const [{ day, sold_at: soldAt }] = rows
    const around = (days: number) => dayOf(Date.parse(day) + days * DAY_MS)
    const period = async (from: string, to: string) => (await compared(program, TEN_PERCENT, { from, to })).actualCents
    expect(await period(day, day)).toBe(100)
    expect(await period(around(-5), around(-1))).toBe(0)
    expect(await period(around(1), around(5))).toBe(0)
    expect(await period(soldAt.toISOString(), new Date(soldAt.getTime() + 1).toISOString())).toBe(100)
    expect(await period(around(-5), soldAt.toISOString())).toBe(0)
  })

  test('writes nothing', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await givenSale(program, 1_000)
    const before = await everyRow()
    await compared(program, { sale: { percentBps: 9_000, duration: 'first' } })
    expect(await everyRow()).toEqual(before)
  })

  test('is rejected with a message that says what to do', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const period = around()
    const refused = async (body: object, code: string, message: string) => {
      const refusal = await call(program, body)
      expectRefusal(refusal, 400, code)
      expect(refusal.body.error.message).toContain(message)
    }
    const terms = TEN_PERCENT
    await refused({ terms, to: period.to }, 'invalid_request', 'from is missing.')
    await refused({ terms, from: period.to, to: period.from }, 'invalid_request', 'from must not be after to.')
    await refused({ terms, from: 'yesterday', to: period.to }, 'invalid_request', 'from must be a date')
    await refused({ terms, from: '2026-02-30', to: '2026-03-01' }, 'invalid_request', 'from must be a date')
    await refused({ terms, from: '2020-01-01', to: '2026-01-01' }, 'invalid_request', 'Choose a shorter period.')
    await refused(period, 'invalid_request', 'terms is missing.')
    const wrong = { sale: { percentBps: 10_001, duration: 'lifetime' } }
    await refused({ terms: wrong, ...period }, 'invalid_request', 'terms.sale.percentBps must be at most 10000')
    await refused(
      { terms: { currency: 'EUR' }, ...period },
      'invalid_currency',
      "terms.currency must be USD, the program's currency. Leave it out, or change the program's currency first.",
    )
  })

  test('is available to everyone who may see commissions', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    for (const role of ['viewer', 'billing']) {
      const user = await givenUser(service)
      await givenRole(service, program.workspaceId, user, role)
      const path = `${program.api}/reward/backtest`
      expect((await user.call('POST', path, { terms: TEN_PERCENT, ...around() })).status).toBe(200)
    }
  })
})

/** Every row of every table except sessions, which a call may extend. */
const everyRow = async () => {
  const { rows: tables } = await service.pool.query(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'sessions'
       AND relname NOT LIKE 'outbox%' ORDER BY 1`,
  )
  expect(tables.length).toBeGreaterThan(40)
  const all: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await service.pool.query(
      `SELECT md5(coalesce(string_agg(line, ' ' ORDER BY line), '')) AS rows FROM (SELECT row::text AS line FROM ${name} row) lines`,
    )
    all[name] = rows[0].rows
  }
  return all
}

describe('a streamed back-test', () => {
  type StreamEvent = { event: string; data: { data?: unknown; error?: { code: string } } }

  const open = ({ owner, api }: PayingProgram, signal?: AbortSignal) =>
    fetch(`${service.url}${api}/reward/backtest`, {
      method: 'POST',
      headers: { cookie: owner.cookie, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ terms: { lead: { amountCents: 3 } }, ...around() }),
      ...(signal && { signal }),
    })

  const eventsIn = (text: string): StreamEvent[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((part) => !part.startsWith(':'))
      .map((part) => {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? []
        return { event, data: JSON.parse(data) }
      })

  /** Enough leads for several pages, inserted without clicks. */
  const givenLeads = (program: PayingProgram, count: number) =>
    service.pool.query(
      `WITH customer AS (
        INSERT INTO customers (program_id, click_id, customer_key, customer_status, link_id, partner_id, first_clicked_at, last_clicked_at, credited_click_at)
        SELECT $1, 'many_' || n, 'many_' || n, 'lead', $2, $3, $4, $4, $4 FROM generate_series(1, $5::integer) n
        RETURNING program_id, click_id)
      INSERT INTO leads (program_id, click_id, created_at, state, settled_by, settled_at, day, link_id, partner_id)
      SELECT program_id, click_id, $4, 'settled', 'server', $4, ($4::timestamptz AT TIME ZONE 'UTC')::date, $2, $3 FROM customer`,
      [program.id, program.link.id, program.link.partnerId, service.clock.now(), count],
    )

  test('reports progress and ends with the response of the plain call', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 2 } })
    await givenLeads(program, 1_234)
    const response = await open(program)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    const received = eventsIn(await response.text())
    const progress = received.slice(0, -1).map(({ event, data }) => {
      expect(event).toBe('progress')
      return backtestProgress.parse(data)
    })
    expect(progress).toEqual([0, 500, 1_000, 1_234].map((done) => ({ done, total: 1_234 })))
    const plain = (await call(program, { terms: { lead: { amountCents: 3 } }, ...around() })).body
    expect(received.at(-1)).toEqual({ event: 'result', data: plain })
    expect(answer.parse(plain.data)[0]?.totals).toEqual(sums(2_468, 3_702))
  })

  test('stops reading once the caller has disconnected', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 2 } })
    await givenLeads(program, 1_234)
    const gone = new AbortController()
    const received: number[] = []
    const stopped = await runBacktest(service.db, {
      programId: program.id,
      proposed: proposedTerms(rewardRequest.parse({}), 'USD'),
      against: null,
      groupId: null,
      from: new Date(now() - DAY_MS),
      before: new Date(now() + DAY_MS),
      onProgress: ({ done }) => {
        received.push(done)
        if (done === 500) gone.abort()
      },
      signal: gone.signal,
    })
    expect({ stopped, received }).toEqual({ stopped: null, received: [0, 500] })
  })

  test('is rejected like any other call before it starts', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const headers = { cookie: program.owner.cookie, accept: 'text/event-stream' }
    const refused = await service.call('POST', `${program.api}/reward/backtest`, { terms: {}, from: 'x' }, headers)
    expectRefusal(refused, 400, 'invalid_request')
  })

  /** Statements that read leads wait meanwhile, until they time out. */
  const whileLocked = async (act: () => Promise<void>) => {
    const client = await service.pool.connect()
    try {
      await client.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE')
      await act()
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }

  test('reports an error', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    await whileLocked(async () => {
      const received = eventsIn(await (await open(program)).text())
      expect(received).toMatchObject([{ event: 'error', data: { success: false, error: { code: 'unavailable' } } }])
    })
  })

  test('runs twice at a time per workspace, and a closed connection frees a slot', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const hanging = new AbortController()
    await whileLocked(async () => {
      // On a busy machine the first may have timed out before the third arrives.
      for (;;) {
        const [one, two, three] = [
          await open(program, hanging.signal),
          await open(program, hanging.signal),
          await open(program),
        ]
        expect([one.status, two.status]).toEqual([200, 200])
        const isRefused = three.status === 429
        if (isRefused) expect(await three.text()).toContain('This workspace is already running 2 backtests.')
        else await Promise.all([one.text(), two.text(), three.text()])
        if (isRefused) break
      }
      hanging.abort()
    })
    let status = 429
    while (status === 429) status = (await call(program, { terms: TEN_PERCENT, ...around() })).status
    expect(status).toBe(200)
  })
})
