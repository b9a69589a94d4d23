import { expect, test } from 'bun:test'
import { givenService } from '../support/shared-service.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { expectVerified, givenUnverified, IN_REVIEW } from './given-unverified.ts'

const service = await givenService()

test('a sale that waits for the browser’s lead does not take the customer for verified', async () => {
  const program = await givenUnverified(service)
  // An earlier sale leaves the row of the key behind.
  await program.buy({ amount: 1 })
  service.clock.advance(1_000)
  const holder = await service.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM partners WHERE program_id = $1 FOR UPDATE', [program.id])
  const signUp = program.signUp()
  await untilWaiting(service.pool, 1)
  const buying = program.sale({ customer_key: program.customer_key, amount: 10_000, invoice_id: 'during' })
  await untilWaiting(service.pool, 2)
  await holder.query('COMMIT')
  holder.release()
  expect([(await signUp).status, (await buying).status]).toEqual([200, 200])
  expect(await program.balance()).toMatchObject({ payableCents: 0 })
  for (const state of await program.states()) expect(state).toEqual(IN_REVIEW)
  await expectVerified(service, program)
})
