import { expect, test } from 'bun:test'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

const givenTwoPartners = async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const other = await givenLink(service, program.id)
  await givenSale(program, 1_000)
  const customer_key = unique('customer')
  await program.lead({ customer_key, click_id: await givenClick(service, other) })
  await program.sale({ customer_key, amount: 2_000, invoice_id: unique('invoice') })
  const create = (body?: unknown) => program.owner.call('POST', `${program.api}/payouts`, body)
  return { ...program, other, create }
}

test('a partner excluded from a payout stays payable and is in the next one', async () => {
  const { create, link, other, balance, owner, api } = await givenTwoPartners()
  const { status, body } = await create({ excludePartnerIds: [other.partnerId] })
  expect(status).toBe(201)
  expect(body.data.lines).toMatchObject([{ partnerId: link.partnerId, amountCents: 100 }])
  expect(await balance(other.partnerId)).toMatchObject({ payableCents: 200, batchedCents: 0 })
  expect((await owner.call('GET', `${api}/audit?search=payout+created`)).body.data).toMatchObject([
    { after: { lines: [{ partnerId: link.partnerId, amountCents: 100 }], excludePartnerIds: [other.partnerId] } },
  ])
  expect((await create()).body.data.lines).toMatchObject([{ partnerId: other.partnerId, amountCents: 200 }])
  const [newest] = (await owner.call('GET', `${api}/audit?search=payout+created`)).body.data
  expect(newest.after).toMatchObject({
    lines: [{ partnerId: other.partnerId, amountCents: 200 }],
    excludePartnerIds: [],
  })
})

test('a payout that excludes everyone, or an unknown partner, is not created', async () => {
  const { create, link, other, balance } = await givenTwoPartners()
  const elsewhere = await givenTwoPartners()
  expectRefusal(await create({ excludePartnerIds: [link.partnerId, other.partnerId] }), 409, 'conflict')
  const unknown = await create({ excludePartnerIds: [link.partnerId, elsewhere.link.partnerId] })
  expectRefusal(unknown, 400, 'invalid_request')
  expect(unknown.body.error).toMatchObject({
    field: 'excludePartnerIds',
    message: `excludePartnerIds must be partners of this program. Remove ${elsewhere.link.partnerId}.`,
  })
  for (const excludePartnerIds of ['1', [0], ['x'], [1.5], null])
    expectRefusal(await create({ excludePartnerIds }), 400, 'invalid_request')
  expect(await balance()).toMatchObject({ payableCents: 100, batchedCents: 0 })
})

test('a payout of chosen partners has a note and a reference, which can be edited while a line is open', async () => {
  const { create, link, other, balance, owner, api, decide } = await givenTwoPartners()
  const labels = { note: 'October', reference: 'PO-1' }
  const { body } = await create({ partnerIds: [other.partnerId], ...labels })
  expect(body.data).toMatchObject({ ...labels, lines: [{ partnerId: other.partnerId, amountCents: 200 }] })
  expect(await balance(link.partnerId)).toMatchObject({ payableCents: 100, batchedCents: 0 })
  const path = `${api}/payouts/${body.data.id}`
  const edit = (change: object) => owner.call('PATCH', path, change)
  expect((await edit({ note: null })).body.data).toMatchObject({ note: null, reference: 'PO-1' })
  expect((await owner.call('GET', `${api}/payouts`)).body.data).toMatchObject([{ note: null, reference: 'PO-1' }])
  expectRefusal(await edit({ reference: 'x'.repeat(121) }), 400, 'invalid_request')
  await decide(body.data.id, body.data.lines[0].id, { status: 'paid' })
  expectRefusal(await edit({ note: 'Late' }), 409, 'conflict')
  expect((await owner.call('GET', path)).body.data).toMatchObject({ note: null, reference: 'PO-1' })
})

test('partnerIds must be partners of the program who are payable', async () => {
  const { create, link, other, balance } = await givenTwoPartners()
  const elsewhere = await givenTwoPartners()
  const unknown = await create({ partnerIds: [elsewhere.link.partnerId] })
  expectRefusal(unknown, 400, 'invalid_request')
  expect(unknown.body.error.field).toBe('partnerIds')
  for (const partnerIds of [[], [0], 'all', null]) expectRefusal(await create({ partnerIds }), 400, 'invalid_request')
  expectRefusal(await create({ partnerIds: [link.partnerId], excludePartnerIds: [link.partnerId] }), 409, 'conflict')
  expect(await balance(other.partnerId)).toMatchObject({ payableCents: 200, batchedCents: 0 })
})

test('the preview lists who is left out and why, on request', async () => {
  const { link, other, owner, api } = await givenTwoPartners()
  const preview = async (query = '') => (await owner.call('GET', `${api}/payouts/preview${query}`)).body.data
  await owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status: 'suspended' })
  await owner.call('PUT', `${api}/reward`, { ...TEN_PERCENT, minimumPayoutCents: 201 })
  expect(await preview()).toEqual([])
  expect(await preview('?excluded=true')).toMatchObject([
    { partnerId: link.partnerId, amountCents: 100, excludedReason: 'suspended' },
    { partnerId: other.partnerId, amountCents: 200, excludedReason: 'below_minimum' },
  ])
  expectRefusal(await owner.call('GET', `${api}/payouts/preview?excluded=maybe`), 400, 'invalid_request')
})
