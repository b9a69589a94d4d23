import { expect, test } from 'bun:test'
import { unique } from '../support/given.ts'
import type { PayingProgram } from '../support/money.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { givenPlatform } from './given-platform.ts'

const { service, givenMerchant, connect, deliver, salesOf, paymentOf } = await givenPlatform()

const disconnect = (program: PayingProgram, user = program.owner) => user.call('DELETE', `${program.api}/processor`)

test('a program that disconnects an account while another connects it leaves it to the other', async () => {
  const one = await givenMerchant()
  const two = await givenMerchant(one.workspaceId)
  const account = unique('acct')
  const unassigned = paymentOf(one, account).completed()
  await deliver(unassigned)
  await service.db
    .updateTable('processorUnassignedEvents')
    .set({ claimedAt: new Date() })
    .where('eventId', '=', unassigned.id)
    .execute()
  await connect(one, account)
  await service.db
    .updateTable('processorUnassignedEvents')
    .set({ claimedAt: null })
    .where('eventId', '=', unassigned.id)
    .execute()

  // Connecting an account adopts its earlier events; the lock stops it in the middle of that.
  const holding = await service.pool.connect()
  await holding.query('BEGIN')
  await holding.query('SELECT FROM processor_unassigned_events WHERE event_id = $1 FOR UPDATE', [unassigned.id])
  const connecting = connect(two, account, {}, one.owner)
  await untilWaiting(service.pool)
  const leaving = disconnect(one)
  await untilWaiting(service.pool, 2)
  await holding.query('COMMIT')
  holding.release()

  expect((await connecting).status).toBe(302)
  expect((await leaving).status).toBe(200)
  const payment = paymentOf(two, account).completed()
  expect((await deliver(payment)).body).toEqual({ success: true, received: true })
  expect(await salesOf(two)).toHaveLength(1)
})
