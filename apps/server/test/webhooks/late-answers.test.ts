import { expect, test } from 'bun:test'
import { givenService } from '../support/shared-service.ts'
import {
  deliveriesOf,
  endpointOf,
  givenEndpoint,
  givenEvents,
  givenOwner,
  givenReceiver,
  LOCAL,
  until,
} from './given-webhooks.ts'

const service = await givenService(LOCAL)

const change = async ({ owner, api }: Awaited<ReturnType<typeof givenOwner>>, id: number, body: object) =>
  expect((await owner.call('PATCH', `${api}/webhook-endpoints/${id}`, body)).status).toBe(200)

test('a late 410 of an address that the endpoint has left does not disable it, and its event goes to the new one', async () => {
  const program = await givenOwner(service)
  const { promise, resolve } = Promise.withResolvers<void>()
  const old = givenReceiver(() => ({ status: 410, after: promise }))
  const moved = givenReceiver()
  const { id } = await givenEndpoint(program, { url: old.url })
  await givenEvents(service, program.id)
  await old.got(1)
  await change(program, id, { url: moved.url })
  resolve()
  await until(async () => (await deliveriesOf(program))[0].state !== 'pending')
  expect(await deliveriesOf(program)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  expect(moved.ids()).toEqual(old.ids())
  expect(await endpointOf(program, id)).toMatchObject({ enabled: true, disabledReason: null, failingSince: null })
})

test('a late 410 does not disable an endpoint that was enabled again meanwhile, and its event is sent again', async () => {
  const program = await givenOwner(service)
  const { promise, resolve } = Promise.withResolvers<void>()
  const receiver = givenReceiver((_, number) =>
    number === 1 ? { status: 410 } : number === 2 ? { status: 410, after: promise } : {},
  )
  const { id } = await givenEndpoint(program, { url: receiver.url })
  await givenEvents(service, program.id, ['sale.created', 'sale.created'])
  await receiver.got(2)
  await until(async () => !(await endpointOf(program, id)).enabled)
  await change(program, id, { enabled: true })
  await receiver.got(3)
  resolve()
  // Answered after the late one.
  await givenEvents(service, program.id)
  await until(async () => (await deliveriesOf(program, '&state=delivered')).length === 2)
  expect(receiver.ids()[2]).toBe(receiver.ids()[1] ?? '')
  expect(await endpointOf(program, id)).toMatchObject({ enabled: true, disabledReason: null })
})
