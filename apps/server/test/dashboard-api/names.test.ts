import { expect, test } from 'bun:test'
import { customerDetail, eventList, saleDetail } from '@tributary/contract'
import { nameOf } from '../explain/given-explained.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService()

test('whatever is somebody’s comes with the name of the partner and the word of the link', async () => {
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

test('a sale that is nobody’s and a test event have no name', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
  await program.sale({ customer_key: 'a-stranger', amount: 500, invoice_id: 'INV-1' })
  await program.sale({ additional_data: { test_mode: true } })
  const { body } = await program.owner.call('GET', `/api/tracking/events/${program.id}`)
  const nobody = { partnerName: null, aff: null }
  expect(body.data).toMatchObject([nobody, nobody])
})
