import { describe, expect, setSystemTime, test } from 'bun:test'
import { sql } from 'kysely'
import { systemClock } from '../../src/clock.ts'
import { createLog } from '../../src/log.ts'
import { deriveKey } from '../../src/secrets.ts'
import { startDelivering } from '../../src/webhooks/delivery/worker.ts'
import { createPost } from '../../src/webhooks/sending/post.ts'
import { addressRules } from '../../src/webhooks/sending/public-addresses.ts'
import { databaseTime } from '../../src/webhooks/time.ts'
import { expectRefusal } from '../support/given.ts'
import { DAY_MS, SECRETS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import {
  deliveriesOf,
  givenEndpoint,
  givenEvents,
  givenOwner,
  givenReceiver,
  LOCAL,
  passPause,
  type Received,
  until,
} from './given-webhooks.ts'

const service = await givenService(LOCAL)

const sequenceIn = ({ text }: Received) => JSON.parse(text).sequence as number
const deliveredIn = async (program: Parameters<typeof deliveriesOf>[0]) =>
  (await deliveriesOf(program, '&state=delivered')).length

describe('an ordered endpoint', () => {
  test('gets one event at a time by sequence, and nothing past one that fails', async () => {
    const program = await givenOwner(service)
    let open = 0
    let mostOpen = 0
    let isBroken = true
    const receiver = givenReceiver((received) => {
      mostOpen = Math.max(mostOpen, ++open)
      const after = Bun.sleep(5).then(() => open--)
      return { status: isBroken && sequenceIn(received) === 3 ? 500 : 200, after }
    })
    await givenEndpoint(program, { url: receiver.url, ordered: true })
    await givenEvents(service, program.id, Array(8).fill('sale.created'))
    await receiver.got(3)
    await until(async () => (await deliveriesOf(program))[2].attempts === 1)
    // Later events wait, also those that are published now.
    await givenEvents(service, program.id, ['lead.created'])
    expect(receiver.sequences()).toEqual([1, 2, 3])
    isBroken = false
    service.clock.advance(6_000)
    await until(async () => (await deliveredIn(program)) === 9)
    expect(receiver.sequences()).toEqual([1, 2, 3, 3, 4, 5, 6, 7, 8, 9])
    expect(mostOpen).toBe(1)
  })
})

describe('several workers', () => {
  /** A second process would run the same. */
  const startAnother = () => {
    const { post, close } = createPost(addressRules(LOCAL.webhookAllowHosts))
    const worker = startDelivering({
      db: service.db,
      clock: service.clock.now,
      log: createLog('silent'),
      post,
      onAttempt: () => {},
      sealKey: deriveKey(SECRETS, 'webhook signing secrets'),
    })
    return { stop: () => worker.stop().then(close) }
  }

  test('send each delivery once, with at most twenty at a time per endpoint each', async () => {
    const program = await givenOwner(service)
    let open = 0
    let mostOpen = 0
    const receiver = givenReceiver(() => {
      mostOpen = Math.max(mostOpen, ++open)
      return { after: Bun.sleep(2).then(() => open--) }
    })
    const ordered = givenReceiver()
    await givenEndpoint(program, { url: receiver.url })
    await givenEndpoint(program, { url: ordered.url, ordered: true })
    const others = [startAnother(), startAnother()]
    for (let round = 0; round < 4; round++) await givenEvents(service, program.id, Array(50).fill('sale.created'))
    await until(async () => (await deliveriesOf(program, '&state=pending')).length === 0)
    expect(receiver.received).toHaveLength(200)
    expect(new Set(receiver.ids()).size).toBe(200)
    expect(ordered.sequences()).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(mostOpen).toBeLessThanOrEqual(60)
    await Promise.all(others.map((other) => other.stop()))
  })

  test('take over what a process that died was sending, with the same webhook-id', async () => {
    const program = await givenOwner(service)
    const receiver = givenReceiver()
    await givenEndpoint(program, { url: receiver.url })
    // Like a process that is killed: it has claimed the delivery and never records a result.
    const client = await service.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM webhook_endpoints WHERE program_id = $1 FOR NO KEY UPDATE', [program.id])
    await givenEvents(service, program.id)
    const { rows } = await client.query(
      'UPDATE webhook_deliveries SET lease = gen_random_uuid(), next_attempt_at = $2 WHERE program_id = $1 RETURNING message_id',
      [program.id, new Date(service.clock.now().getTime() + 60_000)],
    )
    await client.query('COMMIT')
    client.release()
    // Another event is sent meanwhile; the claimed one is not.
    await givenEvents(service, program.id)
    await until(async () => (await deliveredIn(program)) === 1)
    expect(receiver.sequences()).toEqual([2])
    service.clock.advance(60_000)
    await until(async () => (await deliveredIn(program)) === 2)
    expect(receiver.ids()[1]).toBe(`msg_${rows[0].message_id.replaceAll('-', '')}`)
  })
})

describe('sending again', () => {
  test('repeats any delivery with its webhook-id, and all failed ones since a time', async () => {
    const program = await givenOwner(service)
    const { owner, api } = program
    let status = 200
    const receiver = givenReceiver(() => ({ status }))
    const { id } = await givenEndpoint(program, { url: receiver.url })
    await givenEvents(service, program.id)
    await until(async () => (await deliveredIn(program)) === 1)
    const [first] = await deliveriesOf(program)
    expect((await owner.call('POST', `${api}/webhook-deliveries/${first.id}/resend`)).body.data.state).toBe('pending')
    await receiver.got(2)
    await until(async () => (await deliveredIn(program)) === 1)
    expect(new Set(receiver.ids()).size).toBe(1)
    status = 500
    await givenEvents(service, program.id, ['lead.created', 'link.created'])
    while (await passPause(service, program.id));
    expect(
      (await deliveriesOf(program, '&state=failed')).map(({ attempts }: { attempts: number }) => attempts),
    ).toEqual([10, 10])
    status = 200
    const resend = (body: object) => owner.call('POST', `${api}/webhook-deliveries/resend`, body)
    const late = new Date(service.clock.now().getTime() + 60_000).toISOString()
    expect((await resend({ since: late })).body.data).toEqual({ resent: 0, hasMore: false })
    expectRefusal(await resend({ since: 'yesterday' }), 400, 'invalid_request')
    expectRefusal(await resend({ since: '2026-01-01', endpointId: id + 1000 }), 404, 'not_found')
    expect((await resend({ since: '2026-01-01', endpointId: id })).body.data).toEqual({ resent: 2, hasMore: false })
    await until(async () => (await deliveredIn(program)) === 3)
    expect((await resend({ since: '2026-01-01' })).body.data.resent).toBe(0)
    await owner.call('PATCH', `${api}/webhook-endpoints/${id}`, { enabled: false })
    expectRefusal(await owner.call('POST', `${api}/webhook-deliveries/${first.id}/resend`), 409, 'conflict')
    expectRefusal(await resend({ since: '2026-01-01', endpointId: id }), 409, 'conflict')
  })
})

describe('a process with a wrong clock', () => {
  test('uses the time of the database', async () => {
    const realNow = Date.now()
    setSystemTime(realNow - 400 * DAY_MS)
    try {
      const { rows } = await sql<{ at: Date }>`SELECT ${databaseTime(systemClock)} AS at`.execute(service.db)
      expect(Math.abs((rows[0]?.at.getTime() ?? 0) - realNow)).toBeLessThan(DAY_MS)
    } finally {
      setSystemTime()
    }
  })
})

describe('a slow endpoint', () => {
  test('gets four requests at a time, and does not delay another one', async () => {
    const program = await givenOwner(service)
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = givenReceiver(() => ({ after: promise }))
    const fast = givenReceiver()
    await givenEndpoint(program, { url: slow.url })
    await givenEndpoint(program, { url: fast.url })
    await givenEvents(service, program.id, Array(100).fill('sale.created'))
    await Promise.all([fast.got(100), slow.got(4)])
    expect(slow.received).toHaveLength(4)
    resolve()
    await slow.got(100)
  })
})
