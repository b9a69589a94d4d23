import { describe, expect, test } from 'bun:test'
import { AD_PARAMETERS, adEvidenceIn, adParametersOf } from '@tributary/contract'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from './support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenRole, type PayingProgram } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const givenSales = async (settings: Parameters<typeof givenPayingProgram>[2] = {}) => {
  const program = await givenPayingProgram(service, REWARD, settings)
  const { aff } = program.link
  const click = async (query = '') => {
    const call = { affiliate_url: `https://shop.example/?aff=${aff}${query}` }
    return (await service.call('POST', '/api/v1/track/click', call)).body.click_id as string
  }
  /** A sale this many seconds after a click with this query. */
  const sell = async ({ query = '', seconds = 1, invoice_id = unique('in') } = {}) => {
    const click_id = await click(query)
    service.clock.advance(seconds * 1_000)
    const { status, body } = await program.sale({ click_id, amount: 1_000, invoice_id })
    expect(status).toBe(200)
    return body.sale_id as number
  }
  const evidence = async (saleId: number) =>
    (await program.owner.call('GET', `${program.api}/sales/${saleId}`)).body.data.evidence
  const found = async (query: string) => {
    const { status, body } = await program.owner.call('GET', `${program.api}/sales?${query}`)
    expect(status).toBe(200)
    expect(body.meta.pagination.total).toBe(body.data.length)
    return body.data.map(({ id }: { id: number }) => id).toSorted()
  }
  const explained = async (saleId: number, user = program.owner) => {
    const { data } = (await user.call('GET', `${program.api}/sales/${saleId}/explain`)).body
    return data.steps.filter(({ kind }: { kind: string }) => kind === 'evidence')
  }
  return { ...program, click, sell, evidence, found, explained }
}

test('advertising parameters are found in any case and order, with a value, and nothing else is', () => {
  const found = (search: string) => adParametersOf(adEvidenceIn(search))
  expect(found('?aff=a&GCLID=x')).toEqual(['gclid'])
  expect(found('?fbclid=x&aff=a&msclkid=y')).toEqual(['msclkid', 'fbclid'])
  for (const name of AD_PARAMETERS.slice(0, -1)) expect(found(`?aff=a&${name}=x`)).toEqual([name])
  expect(found('?aff=a&utm_medium=CPC')).toEqual(['utm_medium'])
  expect(found('?aff=a&utm_medium=paid-social')).toEqual(['utm_medium'])
  for (const search of ['', '?aff=a', '?aff=a&utm_medium=email', '?aff=gclid', '?aff=a&gclid=', '?aff=a&xgclid=1'])
    expect([search, found(search)]).toEqual([search, []])
})

describe('a sale shows', () => {
  test('the seconds since the click and advertising parameters, also in explain', async () => {
    const program = await givenSales()
    const saleId = await program.sell({ query: '&gclid=x&utm_medium=cpc', seconds: 3_725 })
    const evidence = await program.evidence(saleId)
    expect(evidence).toMatchObject({
      adParameters: ['gclid', 'utm_medium'],
      fromDataCenter: false,
      sameDestinationPartnerIds: [],
    })
    expect(evidence.secondsSinceClick).toBeWithin(3_725, 3_735)
    expect(await program.explained(saleId)).toMatchObject([
      { code: 'seconds_since_click', parts: [{ text: 'The sale came 1 hour 2 minutes after the click.' }] },
      {
        code: 'ad_parameters',
        parts: [{}, { type: 'code', text: 'gclid' }, {}, { type: 'code', text: 'utm_medium' }, {}],
      },
    ])
  })

  test('nothing while it is not credited, and what the click kept once it is', async () => {
    const program = await givenSales()
    const customer_key = unique('customer')
    const click_id = await program.click('&fbclid=x')
    service.clock.advance(60_000)
    const { body } = await program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })
    expect(await program.evidence(body.sale_id)).toMatchObject({ secondsSinceClick: null, adParameters: [] })
    await program.lead({ click_id, customer_key })
    const after = await program.evidence(body.sale_id)
    expect(after).toMatchObject({ adParameters: ['fbclid'] })
    expect(after.secondsSinceClick).toBeWithin(60, 70)
  })

  test('other partners with the same payout destination, by name, but never the destination', async () => {
    const program = await givenSales()
    const other = await givenLink(service, program.id)
    const third = await givenLink(service, program.id)
    const saleId = await program.sell()
    const details = { programId: program.id, method: 'bank' }
    await givenPayoutDetails(service, {
      ...details,
      partnerId: program.link.partnerId,
      account: 'DE89 3704 0044 0532 0130 00',
    })
    await givenPayoutDetails(service, { ...details, partnerId: other.partnerId, account: 'de89370400440532013000' })
    await givenPayoutDetails(service, {
      ...details,
      partnerId: third.partnerId,
      account: 'GB82 WEST 1234 5698 7654 32',
    })
    expect((await program.evidence(saleId)).sameDestinationPartnerIds).toEqual([other.partnerId])
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    const steps = await program.explained(saleId, viewer)
    expect(steps.at(-1)).toMatchObject({
      code: 'same_payout_destination',
      parts: [
        { type: 'link', to: 'partner', id: other.partnerId },
        { text: ' has the same payout destination as the partner.' },
      ],
    })
    expect(JSON.stringify(steps)).not.toContain('3704')
    expect(await program.found('evidence=same_destination')).toEqual([saleId])
    await givenPayoutDetails(service, { ...details, partnerId: other.partnerId, account: 'cash' })
    await givenPayoutDetails(service, { ...details, partnerId: program.link.partnerId, account: 'cash' })
    expect((await program.evidence(saleId)).sameDestinationPartnerIds).toEqual([])
  })
})

test('sales are filtered and exported by their evidence', async () => {
  const program = await givenSales()
  const plain = await program.sell({ seconds: 120 })
  const ad = await program.sell({ query: '&msclkid=x', seconds: 5, invoice_id: 'ad-1' })
  expect(await program.found('evidence=ad_click')).toEqual([ad])
  expect(await program.found('evidence=data_center')).toEqual([])
  expect(await program.found('evidence=same_destination')).toEqual([])
  expect(await program.found('withinSeconds=60')).toEqual([ad])
  expect(await program.found('withinSeconds=3600')).toEqual([plain, ad].toSorted())
  const csv = async (query: string) => {
    const headers = { cookie: program.owner.cookie }
    return (await fetch(`${service.url}${program.api}/export/sales.csv?${query}`, { headers })).text()
  }
  const [columns = '', row = '', ...more] = (await csv('evidence=ad_click')).trim().split('\r\n')
  expect(columns).toEndWith('seconds_since_click,ad_parameters,from_data_center,same_destination_partner_ids')
  expect(row).toMatch(/,ad-1,.*,\d+,msclkid,false,$/)
  expect(more).toEqual([])
  for (const query of ['evidence=other', 'withinSeconds=0', 'withinSeconds=1.5', 'withinSeconds=soon'])
    expectRefusal(await program.owner.call('GET', `${program.api}/sales?${query}`), 400, 'invalid_request')
})

describe('review rules', () => {
  const set = (program: PayingProgram, change: object) => program.owner.call('PATCH', program.api, change)
  const states = async (program: PayingProgram) =>
    (await program.commissions()).map(({ state, reviewReasons }: { state: string; reviewReasons: string[] }) =>
      [state, ...reviewReasons].join(' '),
    )

  test('are off by default', async () => {
    const program = await givenSales()
    expect((await program.owner.call('GET', program.api)).body.data).toMatchObject({
      reviewAdClicks: false,
      reviewWithinSeconds: null,
    })
    await program.sell({ query: '&gclid=x' })
    expect(await states(program)).toEqual(['payable'])
  })

  test('send sales that follow a click from an ad to review, but not those with only fbclid', async () => {
    const program = await givenSales()
    expect((await set(program, { reviewAdClicks: true })).status).toBe(200)
    await program.sell({ query: '&gclid=x' })
    await program.sell({ query: '&fbclid=x' })
    await program.sell()
    expect(await states(program)).toEqual(['payable', 'payable', 'review click_from_ad'])
  })

  test('send sales within the seconds of the click to review, and both reasons are shown', async () => {
    const program = await givenSales()
    expect((await set(program, { reviewAdClicks: true, reviewWithinSeconds: 60 })).status).toBe(200)
    await program.sell({ query: '&gclid=x', seconds: 5 })
    await program.sell({ seconds: 120 })
    expect(await states(program)).toEqual(['payable', 'review click_from_ad sale_soon_after_click'])
  })

  test('apply to sales that are credited later', async () => {
    const program = await givenSales({ reviewAdClicks: true })
    const [customer_key, click_id] = [unique('customer'), await program.click('&gclid=x')]
    await program.sale({ customer_key, amount: 1_000, invoice_id: unique('in') })
    await program.lead({ click_id, customer_key })
    expect(await states(program)).toEqual(['review click_from_ad'])
  })

  test('are refused with a value that makes no sense, and without payout:manage', async () => {
    const program = await givenSales()
    for (const change of [{ reviewWithinSeconds: 0 }, { reviewWithinSeconds: 86_401 }, { reviewAdClicks: 'yes' }])
      expectRefusal(await set(program, change), 400, 'invalid_request')
    const member = await givenUser(service)
    await givenRole(service, program.workspaceId, member, 'member')
    expectRefusal(await member.call('PATCH', program.api, { reviewAdClicks: true }), 403, 'forbidden')
    expect((await program.owner.call('GET', program.api)).body.data).toMatchObject({ reviewAdClicks: false })
  })
})

test('a click without evidence stores none', async () => {
  const program = await givenSales()
  const plain = await givenClick(service, program.link)
  const ad = await program.click('&gclid=x')
  const stored = async (clickId: string) =>
    service.db.selectFrom('clickEvents').select('evidence').where('clickId', '=', clickId).executeTakeFirstOrThrow()
  expect(await stored(plain)).toEqual({ evidence: null })
  expect(await stored(ad)).toEqual({ evidence: 2 })
})
