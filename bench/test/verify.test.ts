import { expect, test } from 'bun:test'
import { givenProcessor } from '../../apps/server/test/processor/given-processor.ts'
import { startTestService } from '../../apps/server/test/support/service.ts'
import { playClosed } from '../load/play-closed.ts'
import { playPaced } from '../load/play-paced.ts'
import { makeTraffic, type Plan } from '../traffic/traffic.ts'
import { findClickFaults } from '../verify/clicks.ts'
import { findMoneyFaults } from '../verify/money.ts'

const service = await startTestService()
const port = Number(new URL(service.url).port)
const REWARD = { lead: { amountCents: 200 }, sale: { percentBps: 2_000, duration: 'lifetime' }, holdDays: 14 }

const play = async (plan: Plan) => {
  const traffic = makeTraffic(plan)
  const { failures, answered } = await playClosed({ port, connections: 4, seconds: 0.3, ...traffic })
  expect(answered).toBeGreaterThan(0)
  expect(failures.filter((failure) => !failure.startsWith('nobody was left'))).toEqual([])
  return traffic.acknowledged
}

/** Clicks, leads, sales and webhooks as the benchmark sends them, and what was acknowledged of them. */
const givenTold = async () => {
  const program = await givenProcessor(service, REWARD)
  const since = new Date()
  const clicks = await play({ kind: 'clicks', affs: [program.link.aff], returning: true, knownClickIds: [] })
  const visitors = [...new Set(clicks)]
  const leads = await play({ kind: 'leads', apiKey: program.key, clickIds: visitors, run: 'a' })
  // The processor counts whole seconds, and a payment is credited by a click that was there before it.
  await Bun.sleep(1_100)
  const sales = await play({ kind: 'sales', apiKey: program.key, customerKeys: leads, run: 'b' })
  const paying = { programId: program.id, secret: program.secret, customerKeys: leads, run: 'c' }
  const webhooks = await play({ kind: 'webhooks', ...paying })
  return { service: { pool: service.pool, program }, since, clicks, leads, sales, webhooks }
}
const faultsOf = async (told: Awaited<ReturnType<typeof givenTold>>) => [
  ...(await findClickFaults(told)),
  ...(await findMoneyFaults(told)),
]

test('everything that was acknowledged is found, and whatever is missing or too much is named', async () => {
  const told = await givenTold()
  expect(await faultsOf(told)).toEqual([])
  expect(await faultsOf({ ...told, clicks: [...told.clicks, '1_neverrecorded'] })).toEqual([
    '1 acknowledged clicks are lost',
    '1 acknowledged clicks have no customer record',
  ])
  expect(await faultsOf({ ...told, clicks: told.clicks.slice(1) })).toEqual([
    '1 clicks are recorded that nobody was told of',
  ])
  expect(await faultsOf({ ...told, leads: [...told.leads, 'nobody'] })).toEqual([
    '1 acknowledged leads are not there once with their commission',
  ])
  expect(await faultsOf({ ...told, sales: [...told.sales.slice(1), 'INV-none'] })).toEqual([
    '1 acknowledged sales are not there once with their commission',
    '1 sales are recorded that nobody was told of',
  ])
  expect(await faultsOf({ ...told, webhooks: [...told.webhooks, 'evt_3_none'] })).toEqual([
    '1 acknowledged events are not kept once',
    '1 payments are not one sale with its commission',
  ])
})

test('at an even rate every request that was due is sent and answered', async () => {
  const { link } = await givenProcessor(service, REWARD)
  const traffic = makeTraffic({ kind: 'clicks', affs: [link.aff], returning: false, knownClickIds: [] })
  const { latencies, failures } = await playPaced({ port, connections: 4, seconds: 0.5, perSecond: 100, ...traffic })
  expect({ sent: latencies.length, failures, told: traffic.acknowledged.length }).toEqual({
    sent: 50,
    failures: [],
    told: 50,
  })
})
