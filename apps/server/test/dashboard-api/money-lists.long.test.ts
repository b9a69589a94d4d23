import { describe, expect, test } from 'bun:test'
import { balanceRow, commissionRow, commissionTotal, payoutLine, payoutSummary } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { column, givenEarnings } from './given-earnings.ts'

const service = await givenService()

describe('commissions', () => {
  test('are sorted by when they were earned, by remaining amount and by payable date', async () => {
    const { get, refuses } = await givenEarnings(service)
    const amounts = async (query: string) => column(await get(`/commissions?${query}`), 'amountCents')
    expect((await get('/commissions')).data.map((row: unknown) => commissionRow.parse(row).amountCents)).toEqual([
      5, 30, 70, 100,
    ])
    expect(await amounts('sort=earnedAt')).toEqual([100, 70, 30, 5])
    // The refund left 3 of the 30.
    expect(await amounts('sort=-amountCents')).toEqual([100, 70, 5, 30])
    expect(await amounts('sort=payableAt&state=payable')).toEqual([100, 70, 30, 5])
    expect(await amounts('sort=-earnedAt&pageSize=2&page=2')).toEqual([70, 100])
    expect((await get('/commissions?pageSize=2')).meta.pagination).toMatchObject({ total: 4, pageCount: 2 })
    for (const query of ['sort=partnerName', 'state=lost']) await refuses(`/commissions?${query}`)
  })
})

describe('the payable total', () => {
  test('includes the part that open payouts hold, equal to the balances, until those are settled', async () => {
    const { get, pay, decide } = await givenEarnings(service)
    const payable = async () =>
      (await get('/commissions/totals')).data
        .map((row: unknown) => commissionTotal.parse(row))
        .filter(({ state }: { state: string }) => state === 'payable')
        .map(({ currency, amountCents, inPayoutCents }: Record<string, unknown>) => [
          currency,
          amountCents,
          inPayoutCents,
        ])
    const inPayout = async () => column(await get('/commissions?sort=earnedAt'), 'inPayout')
    const ofBalances = async (name: string) =>
      column(await get('/balances?currency=USD'), name).reduce<number>((sum, cents) => sum + Number(cents), 0)
    expect(await payable()).toEqual([
      ['EUR', 5, 0],
      ['USD', 173, 0],
    ])
    expect(await inPayout()).toEqual([false, false, false, false])

    const { id, lines } = await pay()
    expect(await payable()).toEqual([
      ['EUR', 5, 5],
      ['USD', 173, 173],
    ])
    expect([await ofBalances('payableCents'), await ofBalances('batchedCents')]).toEqual([0, 173])
    const [eur] = (await get('/commissions/totals')).data
    expect(eur).toMatchObject({ count: 1, inPayoutCount: 1, freeCount: 0, disputedCount: 0, reversedCents: 0 })
    expect(await inPayout()).toEqual([true, true, true, true])

    for (const { id: lineId, currency } of lines)
      await decide(id, lineId, { status: currency === 'EUR' ? 'failed' : 'paid' })
    expect(await payable()).toEqual([['EUR', 5, 0]])
    expect(await inPayout()).toEqual([false, false, false, false])
  })
})

describe('balances', () => {
  test('are paged, sorted, and filtered by name and currency', async () => {
    const { get, refuses, owner, api } = await givenEarnings(service)
    const { data, meta } = await get('/balances')
    expect(data.map((row: unknown) => balanceRow.parse(row)).map((row: { currency: string }) => row.currency)).toEqual([
      'EUR',
      'USD',
      'USD',
    ])
    expect(meta.pagination.total).toBe(3)
    expect((await get('/balances?zero=false&pageSize=1')).meta.pagination.total).toBe(3)
    const names = async (query: string) => column(await get(`/balances?${query}`), 'partnerName')
    expect(await names('sort=partnerName')).toEqual(['adam', 'adam', 'Zoë'])
    expect(await names('sort=-payableCents')).toEqual(['Zoë', 'adam', 'adam'])
    expect(await names('sort=-payableCents&pageSize=1&page=2')).toEqual(['adam'])
    expect(await names('search=zo')).toEqual(['Zoë'])
    expect(await names('currency=eur')).toEqual(['adam'])
    for (const query of ['sort=currency', 'currency=XXQ', 'search=', 'zero=no']) await refuses(`/balances?${query}`)
    const euro = (await get('/commissions')).data.find((row: { currency: string }) => row.currency === 'EUR')
    expect((await owner.call('POST', `${api}/commissions/${euro.id}/void`, { reason: 'A test' })).status).toBe(200)
    expect(await names('currency=eur')).toEqual(['adam'])
    expect(await names('currency=eur&zero=false')).toEqual([])
    expect((await get('/balances?zero=false&pageSize=1')).meta.pagination.total).toBe(2)
  })
})

describe('payouts', () => {
  test('have totals without failed lines, and can be filtered by open lines', async () => {
    const { get, refuses, pay, decide } = await givenEarnings(service)
    const payout = await pay()
    const summary = async (query = '') =>
      (await get(`/payouts${query}`)).data.map((row: unknown) => payoutSummary.parse(row))
    const usd = { currency: 'USD', amountCents: 173 }
    const eur = { currency: 'EUR', amountCents: 5 }
    expect(await summary()).toMatchObject([{ lineCount: 3, openCount: 3, amounts: [eur, usd] }])
    const lineOf = (currency: string) => payout.lines.find((line: { currency: string }) => line.currency === currency)
    await decide(payout.id, lineOf('EUR').id, { status: 'failed' })
    await decide(payout.id, lineOf('USD').id, { status: 'paid' })
    expect(await summary('?state=open')).toMatchObject([{ openCount: 1, amounts: [usd] }])
    expect(await summary('?state=done')).toEqual([])
    service.clock.advance(DAY_MS)
    await pay()
    const counts = async (sort: string) => column(await get(`/payouts?sort=${sort}`), 'lineCount')
    expect(await counts('-createdAt')).toEqual([1, 3])
    expect(await counts('createdAt')).toEqual([3, 1])
    expect(await counts('-lineCount')).toEqual([3, 1])
    for (const query of ['sort=amounts', 'state=paid']) await refuses(`/payouts?${query}`)
  })

  test('have paged lines', async () => {
    const { get, refuses, pay, decide, owner, api } = await givenEarnings(service)
    const { id, lines } = await pay()
    const list = async (query = '') => (await get(`/payouts/${id}/lines${query}`)).data
    expect((await list()).map((row: unknown) => payoutLine.parse(row).partnerName)).toEqual(['adam', 'adam', 'Zoë'])
    expect(column({ data: await list('?sort=-amountCents') }, 'amountCents')).toEqual([103, 70, 5])
    expect(await list('?search=ZO')).toMatchObject([{ partnerName: 'Zoë', amountCents: 103, reservedCents: 103 }])
    expect((await get(`/payouts/${id}/lines?pageSize=2&page=2`)).meta.pagination).toMatchObject({ total: 3 })
    await decide(id, lines[0].id, { status: 'paid' })
    expect(await list('?status=paid')).toMatchObject([{ id: lines[0].id, status: 'paid' }])
    expect(await list('?status=open')).toHaveLength(2)
    for (const query of ['sort=id', 'status=lost']) await refuses(`/payouts/${id}/lines?${query}`)
    for (const path of ['99999', 'x'])
      expectRefusal(await owner.call('GET', `${api}/payouts/${path}/lines`), 404, 'not_found')
  })
})
