import { expect, test } from 'bun:test'
import { exampleEvent } from '@tributary/contract'
import { systemClock } from '../../src/clock.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { createLog } from '../../src/log.ts'
import { type NewEvent, publish } from '../../src/outbox/events.ts'
import { assignSequences } from '../../src/outbox/sequence.ts'
import { deriveKey } from '../../src/secrets.ts'
import { startDelivering } from '../../src/webhooks/delivery/worker.ts'
import { createEndpoint } from '../../src/webhooks/endpoints.ts'
import { FAN_OUT } from '../../src/webhooks/fan-out.ts'
import { createPost } from '../../src/webhooks/sending/post.ts'
import { addressRules } from '../../src/webhooks/sending/public-addresses.ts'
import { givenLedger, givenMoney } from '../money/given-money.ts'
import { SECRETS } from '../support/service.ts'
import { givenReceiver, LOCAL, until } from './given-webhooks.ts'

// Without a service, because its own worker would take the deliveries.
const { db, pool, ...ledger } = await givenLedger({ tampers: true })
const sealKey = deriveKey(SECRETS, 'webhook signing secrets')

const startProcess = () => {
  const { post, close } = createPost(addressRules(LOCAL.webhookAllowHosts))
  const options = { clock: systemClock, log: createLog('silent'), sealKey, onAttempt: () => {} }
  const worker = startDelivering({ db, post, ...options })
  return { stop: () => worker.stop().then(close) }
}

const givenDeliveries = async (url: string, count: number) => {
  const { programId } = await givenMoney({ db, pool, ...ledger })
  const settings = { events: ['*' as const], description: null, includeCustomerData: false, ordered: false }
  const at = new Date()
  const number = async () => {
    while (!(await assignSequences(db, programId, FAN_OUT)));
  }
  await number()
  await inTransaction(db, (tx) =>
    createEndpoint(tx, { programId, key: sealKey, at, url, format: 'standard', ...settings }),
  )
  const { data } = exampleEvent('sale.created')
  const event = { programId, type: 'sale.created', at, data } as NewEvent
  await inTransaction(db, (tx) => publish(tx, Array(count).fill(event)))
  await number()
  return async () => {
    const { rows } = await pool.query(
      `SELECT 'msg_' || replace(message_id::text, '-', '') AS id, state, attempts, lease, next_attempt_at <= now() AS due
       FROM webhook_deliveries WHERE program_id = $1`,
      [programId],
    )
    return rows
  }
}

test('a stop in mid-delivery records what is answered and returns the rest: nothing is lost or doubled', async () => {
  const answer = Promise.withResolvers<void>()
  const never = new Promise(() => {})
  let isBack = false
  const receiver = givenReceiver((_, number) => (isBack ? {} : { after: number === 1 ? answer.promise : never }))
  const deliveries = await givenDeliveries(receiver.url, 3)
  const process = startProcess()
  await receiver.got(3)
  const stopped = process.stop()
  answer.resolve()
  await stopped
  const [answered, ...others] = receiver.ids()
  const rows = await deliveries()
  expect(rows.find(({ id }) => id === answered)).toMatchObject({ state: 'delivered', attempts: 1, lease: null })
  // Due now, not when a lease ends.
  for (const id of others)
    expect(rows.find((row) => row.id === id)).toMatchObject({ state: 'pending', attempts: 0, lease: null, due: true })

  isBack = true
  const next = startProcess()
  await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
  await next.stop()
  expect(receiver.ids().slice(3).toSorted()).toEqual(others.toSorted())
})
