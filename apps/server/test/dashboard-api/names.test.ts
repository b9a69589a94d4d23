import { expect, test } from 'bun:test'
import { auditEntry, customerDetail, eventList, saleDetail } from '@tributary/contract'
import { nameOf } from '../explain/given-explained.ts'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

test('rows include the name of the partner and the aff of the link', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
  await nameOf(service, program.link, 'Maya Lindqvist')
  await givenSale(program, 1000)
  const get = async (path: string) => (await program.owner.call('GET', path)).body
  const named = { partnerName: 'Maya Lindqvist', aff: program.link.aff }

  const events = eventList.parse(await get(`/api/tracking/events/${program.id}`)).data
  expect(events).toMatchObject([named, named, named])
  const { eventType, id } = events[0] ?? {}
  expect((await get(`/api/tracking/events/${program.id}/${eventType}/${id}`)).data).toMatchObject(named)

  const [customer] = (await get(`${program.api}/customers`)).data
  expect(customer).toMatchObject(named)
  const { timeline } = customerDetail.parse((await get(`${program.api}/customers/${customer.id}`)).data)
  expect(timeline.map(({ partnerName }) => partnerName)).toEqual(timeline.map(() => 'Maya Lindqvist'))
  expect(timeline[0]).toMatchObject({ event: 'click', ...named })

  const [sale] = (await get(`${program.api}/sales`)).data
  expect(sale).toMatchObject(named)
  expect(saleDetail.parse((await get(`${program.api}/sales/${sale.id}`)).data)).toMatchObject(named)
})

test('unattributed sales and test events have no partner name', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
  await program.sale({ customer_key: 'a-stranger', amount: 500, invoice_id: 'INV-1' })
  await program.sale({ additional_data: { test_mode: true } })
  const { body } = await program.owner.call('GET', `/api/tracking/events/${program.id}`)
  const unnamed = { partnerName: null, aff: null }
  expect(body.data).toMatchObject([unnamed, unnamed])
})

test('audit entries about a partner include the partner’s name and are found by it', async () => {
  const terms = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 }
  const program = await givenPayingProgram(service, terms)
  await nameOf(service, program.link, 'Maya Lindqvist')
  const { partnerId } = program.link
  await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { email: 'maya@example.com' })
  await program.owner.call('PUT', `${program.api}/partners/${partnerId}/reward`, terms)
  const customer_key = 'her-own-customer'
  const click_id = await givenClick(service, program.link)
  await program.lead({ click_id, customer_key, email: 'maya@example.com' })
  const { body: sale } = await program.sale({ customer_key, amount: 1000, invoice_id: 'INV-1' })
  const review = { decision: 'released', reason: 'fine' }
  await program.owner.call('POST', `${program.api}/commissions/${sale.commission_id}/review`, review)
  const { id, lines } = await program.pay()
  await program.decide(id, lines[0].id, { status: 'paid' })

  const audit = async (search = '') =>
    (await program.owner.call('GET', `${program.api}/audit${search}`)).body.data.map((row: unknown) => {
      const { subject, partnerName } = auditEntry.parse(row)
      return [subject, partnerName]
    })
  const hers = [
    `payout line ${lines[0].id}`,
    `commission ${sale.commission_id}`,
    `reward terms of partner ${partnerId}`,
    `partner ${partnerId}`,
  ].map((subject) => [subject, 'Maya Lindqvist'])
  const [line, ...others] = hers
  expect(await audit()).toEqual([line, [`payout ${id}`, null], ...others, ['program reward terms', null]])
  expect(await audit('?search=lindq')).toEqual(hers)
  // In the words of the dashboard.
  expect(await audit('?search=marked+as+paid')).toEqual([line])
  expect(await audit(`?search=payment+${lines[0].id}`)).toEqual([line])
  expect((await audit('?sort=action'))[2]).toEqual(line)
})
