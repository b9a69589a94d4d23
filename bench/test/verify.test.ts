import { expect, test } from 'bun:test'
import { givenProcessor } from '../../apps/server/test/processor/given-processor.ts'
import { startTestService } from '../../apps/server/test/support/service.ts'
import { isLongRun } from '../../apps/server/test/support/size.ts'
import { connectByFetch } from '../load/fetch-client.ts'
import { connectBySocket } from '../load/keep-alive-client.ts'
import { playClosed } from '../load/play-closed.ts'
import { playPaced } from '../load/play-paced.ts'
import { makeTraffic, type Plan } from '../traffic/traffic.ts'
import { PAYERS, webhookSecretOf } from '../traffic/webhooks.ts'
import { findClickFaults } from '../verify/clicks.ts'
import type { Acknowledged } from '../verify/faults.ts'
import { findMoneyFaults } from '../verify/money.ts'

const service = await startTestService()
const port = Number(new URL(service.url).port)
const REWARD = { lead: { amountCents: 200 }, sale: { percentBps: 2_000, duration: 'lifetime' }, holdDays: 14 }

const play = async (plan: Plan, connect = connectBySocket) => {
  const traffic = makeTraffic(plan)
  const round = { connect, port, connections: 2, seconds: 0.3 }
  const { failures, answered, doubtful } = await playClosed({ ...round, ...traffic })
  expect(answered).toBeGreaterThan(0)
  expect(failures.filter((failure) => !failure.startsWith('ran out of visitors'))).toEqual([])
  return { names: traffic.acknowledged, doubtful }
}

/** Clicks, leads, sales and webhooks as the benchmark sends them, and which of them were acknowledged. */
const givenAcknowledged = async (): Promise<Acknowledged> => {
  const program = await givenProcessor(service, REWARD)
  const since = new Date()
  const clicks = await play({ kind: 'clicks', affs: [program.link.aff], returning: true, knownClickIds: [] })
  const visitors = [...new Set(clicks.names)]
  const leads = await play({ kind: 'leads', apiKey: program.key, clickIds: visitors, run: 'a' })
  // The processor counts whole seconds, and only a click before the payment credits it.
  await Bun.sleep(1_100)
  const sales = await play({ kind: 'sales', apiKey: program.key, customerKeys: leads.names, run: 'b' })
  const paying = { programId: program.id, secret: program.secret, customerKeys: leads.names, run: 'c' }
  const webhooks = await play({ kind: 'webhooks', processor: 'stripe', ...paying })
  const acknowledged = { service: { pool: service.pool, program }, since, clicks, leads, sales, webhooks }
  // A busy machine may leave some calls in doubt; then a new program is used.
  return [clicks, leads, sales, webhooks].some(({ doubtful }) => doubtful > 0) ? givenAcknowledged() : acknowledged
}
const faultsOf = async (acknowledged: Acknowledged) => [
  ...(await findClickFaults(acknowledged)),
  ...(await findMoneyFaults(acknowledged)),
]

test('everything acknowledged is found, and missing or extra rows are named', async () => {
  const acknowledged = await givenAcknowledged()
  expect(await faultsOf(acknowledged)).toEqual([])
  const withNames = (
    kind: 'clicks' | 'leads' | 'sales' | 'webhooks',
    change: (names: string[]) => string[],
    doubtful = 0,
  ) => faultsOf({ ...acknowledged, [kind]: { names: change(acknowledged[kind].names), doubtful } })
  expect(await withNames('clicks', (names) => [...names, '1_neverrecorded'])).toEqual([
    '1 acknowledged clicks are lost',
    '1 acknowledged clicks have no customer record',
  ])
  expect(await withNames('clicks', (names) => names.slice(1))).toEqual([
    '1 clicks were recorded but never acknowledged',
  ])
  expect(await withNames('leads', (names) => [...names, 'nobody'])).toEqual([
    '1 acknowledged leads are not stored exactly once with a commission',
  ])
  expect(await withNames('sales', (names) => [...names.slice(1), 'INV-none'])).toEqual([
    '1 acknowledged sales are not stored exactly once with a commission',
    '1 sales were recorded but never acknowledged',
  ])
  expect(await withNames('webhooks', (names) => [...names, 'evt_3_none'])).toEqual([
    '1 acknowledged events are not stored exactly once',
    '1 payments are not exactly one sale with a commission',
  ])
  // A call answered `unavailable` may have been recorded, so that many extra rows are allowed.
  expect(await withNames('sales', (names) => names.slice(1), 1)).toEqual([])
  expect(await withNames('sales', (names) => names.slice(2), 1)).toEqual([
    '2 sales were recorded but never acknowledged',
  ])
})

test('every payment of another processor is found, and a missing one is counted', async () => {
  const program = await givenProcessor(service, REWARD)
  const clicks = await play({ kind: 'clicks', affs: [program.link.aff], returning: false, knownClickIds: [] })
  const leads = await play({ kind: 'leads', apiKey: program.key, clickIds: clicks.names, run: 'd' })
  await Bun.sleep(1_100)
  const nothing = { names: [], doubtful: 0 }
  const books = {
    service: { pool: service.pool, program },
    since: new Date(),
    clicks: nothing,
    leads: nothing,
    sales: nothing,
  }
  for (const processor of PAYERS.filter((one) => one !== 'stripe')) {
    const secret = webhookSecretOf(processor)
    await program.owner.call('PUT', `${program.api}/processors/${processor}`, { webhookSecret: secret })
    const paying = { processor, programId: program.id, secret, customerKeys: leads.names, run: processor }
    const webhooks = await play({ kind: 'webhooks', ...paying })
    expect(webhooks.names).not.toEqual([])
    expect(await findMoneyFaults({ ...books, webhooks })).toEqual([])
    const names = [...webhooks.names, 'paid_none']
    expect(await findMoneyFaults({ ...books, webhooks: { names, doubtful: 0 } })).toEqual([
      '1 payments of another processor are not exactly one sale with a commission',
    ])
  }
})

test.skipIf(!isLongRun)('at an even rate every due request is sent and answered', async () => {
  const { link } = await givenProcessor(service, REWARD)
  const traffic = makeTraffic({ kind: 'clicks', affs: [link.aff], returning: false, knownClickIds: [] })
  const { latencies, failures } = await playPaced({
    connect: connectBySocket,
    port,
    connections: 4,
    seconds: 0.5,
    perSecond: 100,
    ...traffic,
  })
  expect({ sent: latencies.length, failures, acknowledged: traffic.acknowledged.length }).toEqual({
    sent: 50,
    failures: [],
    acknowledged: 50,
  })
})

test('an ordinary client sends the same requests', async () => {
  const program = await givenProcessor(service, REWARD)
  const since = new Date()
  const plan: Plan = { kind: 'clicks', affs: [program.link.aff], returning: true, knownClickIds: [] }
  const clicks: Awaited<ReturnType<typeof play>> = { names: [], doubtful: 0 }
  const recorded = { clicks: 0, returned: 0 }
  // On a slow machine no visitor may return within one round.
  while (recorded.returned === 0) {
    const { names, doubtful } = await play(plan, connectByFetch)
    clicks.names.push(...names)
    clicks.doubtful += doubtful
    const { rows } = await service.pool.query(
      'SELECT count(*)::int AS clicks, count(*) FILTER (WHERE reused)::int AS returned FROM click_events WHERE program_id = $1',
      [program.id],
    )
    Object.assign(recorded, rows[0])
  }
  const none = { names: [], doubtful: 0 }
  const acknowledged = {
    service: { pool: service.pool, program },
    since,
    clicks,
    leads: none,
    sales: none,
    webhooks: none,
  }
  expect(await findClickFaults(acknowledged)).toEqual([])
  expect(recorded.clicks).toBe(clicks.names.length)
})
