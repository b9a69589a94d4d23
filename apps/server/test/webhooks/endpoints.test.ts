import { describe, expect, test } from 'bun:test'
import { MAX_WEBHOOK_ENDPOINTS, type PublishedEventType } from '@tributary/contract'
import type pg from 'pg'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import {
  deliveriesOf,
  endpointOf,
  givenEndpoint,
  givenEvents,
  givenOwner,
  givenReceiver,
  givenUnnumbered,
  LOCAL,
  until,
  verified,
} from './given-webhooks.ts'

const service = await givenService(LOCAL)
const HOOK = { url: 'https://hooks.example.com/tributary', events: ['sale.created'] }

const auditOf = async ({ owner, api }: Awaited<ReturnType<typeof givenOwner>>) =>
  (await owner.call('GET', `${api}/audit?search=webhook&sort=createdAt`)).body.data

/** Whether someone waits for a lock of this client. */
const isWaiting = async (client: pg.PoolClient) => {
  const { rows } = await client.query(
    'SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE pg_backend_pid() = any(pg_blocking_pids(pid))',
  )
  return rows[0].waiting > 0
}

const tablesOf = async () => {
  const { rows } = await service.pool.query(
    `SELECT (SELECT jsonb_agg(endpoint ORDER BY id) FROM webhook_endpoints endpoint) AS endpoints,
      (SELECT count(*) FROM webhook_deliveries) AS deliveries, (SELECT count(*) FROM outbox_events) AS events`,
  )
  return rows
}

describe('webhook endpoints', () => {
  test('are created, listed, edited and deleted; the secret is shown once and stored encrypted', async () => {
    const program = await givenOwner(service)
    const { owner, api } = program
    const created = await givenEndpoint(program, { ...HOOK, description: 'Warehouse' })
    expect(created).toMatchObject({
      url: HOOK.url,
      events: ['sale.created'],
      description: 'Warehouse',
      enabled: true,
      pending: 0,
      includeCustomerData: false,
      ordered: false,
      format: 'standard',
    })
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { rows } = await service.pool.query('SELECT secret FROM webhook_endpoints WHERE id = $1', [created.id])
    expect(rows[0].secret.toString()).not.toContain(created.secret.slice(6))
    const { body: listed } = await owner.call('GET', `${api}/webhook-endpoints`)
    const { secret: _, ...shown } = created
    expect(listed.data).toEqual([shown])
    const path = `${api}/webhook-endpoints/${created.id}`
    const change = {
      url: 'https://other.example.com/?token=1',
      events: ['*', 'sale.created'],
      ordered: true,
      enabled: false,
    }
    const changed = await owner.call('PATCH', path, { ...change, description: null })
    expect(changed.body.data).toMatchObject({ ...change, events: ['*'], description: null, disabledReason: 'member' })
    expect((await owner.call('PATCH', path, { enabled: true })).body.data).toMatchObject({ disabledReason: null })
    expect((await owner.call('PATCH', path, { enabled: true })).status).toBe(200)
    expect((await owner.call('DELETE', path)).status).toBe(200)
    expect((await owner.call('GET', `${api}/webhook-endpoints`)).body.data).toEqual([])
    for (const [method, more] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
    ] as const)
      expectRefusal(await owner.call(method, path + more, method === 'PATCH' ? {} : undefined), 404, 'not_found')
    const entries = await auditOf(program)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'webhook endpoint created',
      'webhook endpoint disabled',
      'webhook endpoint enabled',
      'webhook endpoint deleted',
    ])
    expect(JSON.stringify(entries)).not.toContain('token=1')
  })

  test('with a wrong setting are refused with a sentence that says what to do', async () => {
    const { owner, api } = await givenOwner(service)
    const before = await tablesOf()
    const wrong: [object, string, string][] = [
      [{ url: 'hooks.example.com' }, 'url', 'enter https://hooks.example.com'],
      [{ url: 'ftp://hooks.example.com/' }, 'url', 'full web address'],
      [{ url: 'https://user:secret@hooks.example.com/' }, 'url', 'user name'],
      [{ url: `https://hooks.example.com/${'x'.repeat(2048)}` }, 'url', 'at most 2048'],
      [{ url: 'https://93.184.216.34:8443/' }, 'url', 'WEBHOOK_ALLOW_HOSTS'],
      [{ url: 'http://169.254.169.254/latest/meta-data' }, 'url', 'public address'],
      [{ events: [] }, 'events', 'at least one'],
      [{ events: ['sale.exploded'] }, 'events.0', 'sale.created'],
      [{ format: 'teams' }, 'format', 'slack'],
      [{ description: 'x'.repeat(201) }, 'description', 'at most 200'],
    ]
    for (const [setting, field, message] of wrong) {
      const answer = await owner.call('POST', `${api}/webhook-endpoints`, { ...HOOK, ...setting })
      expectRefusal(answer, 400, 'invalid_request')
      expect({ setting, ...answer.body.error }).toMatchObject({ field, message: expect.stringContaining(message) })
    }
    expect(await tablesOf()).toEqual(before)
  })

  test('have a limit per program', async () => {
    const program = await givenOwner(service)
    for (let count = 0; count < MAX_WEBHOOK_ENDPOINTS; count++) await givenEndpoint(program, HOOK)
    expectRefusal(await program.owner.call('POST', `${program.api}/webhook-endpoints`, HOOK), 409, 'conflict')
  })

  test('belong to members who manage keys', async () => {
    const program = await givenOwner(service)
    const { id } = await givenEndpoint(program, { url: givenReceiver().url })
    await givenEvents(service, program.id)
    await until(async () => (await deliveriesOf(program, '&state=delivered')).length === 1)
    const [{ id: deliveryId }] = await deliveriesOf(program)
    const member = await givenUser(service)
    await service.pool.query(
      `INSERT INTO members (id, organization_id, user_id, role, created_at)
       SELECT gen_random_uuid()::text, $1, id, 'member', now() FROM users WHERE email = $2`,
      [program.workspaceId, member.email],
    )
    const stranger = await givenOwner(service)
    const before = await tablesOf()
    const calls: [string, string, object?][] = [
      ['POST', 'webhook-endpoints', HOOK],
      ['GET', 'webhook-endpoints'],
      ['PATCH', `webhook-endpoints/${id}`, { enabled: false }],
      ['DELETE', `webhook-endpoints/${id}`],
      ['POST', `webhook-endpoints/${id}/rotate`],
      ['POST', `webhook-endpoints/${id}/test`],
      ['GET', 'webhook-deliveries'],
      ['GET', `webhook-deliveries/${deliveryId}`],
      ['POST', `webhook-deliveries/${deliveryId}/resend`],
      ['POST', 'webhook-deliveries/resend', { since: '2026-01-01' }],
    ]
    for (const [method, path, body] of calls) {
      expectRefusal(await service.call(method, `${program.api}/${path}`, body), 401, 'unauthenticated')
      expectRefusal(await member.call(method, `${program.api}/${path}`, body), 403, 'forbidden')
      expectRefusal(await stranger.owner.call(method, `${program.api}/${path}`, body), 403, 'forbidden')
      // IDs of another program are unknown in one's own.
      if (/\d/.test(path))
        expectRefusal(await stranger.owner.call(method, `${stranger.api}/${path}`, body), 404, 'not_found')
    }
    expect(await tablesOf()).toEqual(before)
  })
})

describe('new settings', () => {
  test('apply to what happens after them, not to what was committed just before', async () => {
    const program = await givenOwner(service)
    const receiver = givenReceiver()
    await givenEvents(service, program.id)
    const unnumbered = async (type: PublishedEventType, change: () => Promise<unknown>) => {
      const client = await service.pool.connect()
      await client.query('BEGIN')
      await client.query('SELECT FROM outbox_heads WHERE program_id = $1 FOR UPDATE', [program.id])
      await givenUnnumbered(service, program.id, [type])
      // Ends while the event still waits for its sequence, unless it waits for the same lock.
      let isChanged = false
      const changed = change().finally(() => {
        isChanged = true
      })
      await until(async () => isChanged || (await isWaiting(client)))
      await client.query('COMMIT')
      client.release()
      return changed
    }
    const created = await unnumbered('lead.created', () => givenEndpoint(program, { url: receiver.url }))
    const { id } = created as { id: number }
    const set = (enabled: boolean) => () =>
      program.owner.call('PATCH', `${program.api}/webhook-endpoints/${id}`, { enabled })
    await unnumbered('sale.created', set(false))
    await unnumbered('sale.refunded', set(true))
    await givenEvents(service, program.id, ['link.created'])
    await until(async () => (await deliveriesOf(program, '&state=pending')).length === 0)
    expect((await deliveriesOf(program)).map(({ type }: { type: string }) => type)).toEqual([
      'sale.created',
      'link.created',
    ])
  })
})

describe('a rotation', () => {
  test('signs with both secrets for a day', async () => {
    const program = await givenOwner(service)
    const receiver = givenReceiver()
    const { id, secret: old } = await givenEndpoint(program, { url: receiver.url })
    const { body } = await program.owner.call('POST', `${program.api}/webhook-endpoints/${id}/rotate`)
    const { secret, previousSecretValidUntil } = body.data
    expect(Date.parse(previousSecretValidUntil) - service.clock.now().getTime()).toBeGreaterThan(23 * 3_600_000)
    await givenEvents(service, program.id)
    await receiver.got(1)
    const [first] = receiver.received
    if (!first) throw new Error('nothing was received')
    expect(verified(first, secret)).toEqual(verified(first, old))
    service.clock.advance(24 * 3_600_000)
    await givenEvents(service, program.id)
    await receiver.got(2)
    expect(receiver.received[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(await endpointOf(program, id)).toMatchObject({ previousSecretValidUntil: null })
    expect((await auditOf(program)).at(-1)).toMatchObject({ action: 'webhook secret rotated' })
  })

  test('followed by another within a day keeps the deployed secret until its time ends', async () => {
    const program = await givenOwner(service)
    const receiver = givenReceiver()
    const { id, secret: deployed } = await givenEndpoint(program, { url: receiver.url })
    const rotate = async () =>
      (await program.owner.call('POST', `${program.api}/webhook-endpoints/${id}/rotate`)).body.data
    const first = await rotate()
    service.clock.advance(3_600_000)
    const second = await rotate()
    expect(second.previousSecretValidUntil).toBe(first.previousSecretValidUntil)
    await givenEvents(service, program.id)
    await receiver.got(1)
    const [request] = receiver.received
    if (!request) throw new Error('nothing was received')
    expect(verified(request, deployed)).toEqual(verified(request, second.secret))
    expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    service.clock.advance(23 * 3_600_000)
    expect(await endpointOf(program, id)).toMatchObject({ previousSecretValidUntil: null })
    await rotate()
    await givenEvents(service, program.id)
    await receiver.got(2)
    const last = receiver.received[1]
    if (!last) throw new Error('nothing was received')
    verified(last, second.secret)
  })
})

describe('a test event', () => {
  test('goes to one endpoint only, whatever types it wants, and not to a disabled one', async () => {
    const program = await givenOwner(service)
    const [receiver, other] = [givenReceiver(), givenReceiver()]
    const { id, secret } = await givenEndpoint(program, { url: receiver.url, events: ['payout.paid'] })
    await givenEndpoint(program, { url: other.url })
    const path = `${program.api}/webhook-endpoints/${id}`
    const { status, body } = await program.owner.call('POST', `${path}/test`)
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: { endpointId: id, type: 'test.ping' } })
    await receiver.got(1)
    expect(receiver.received[0] && verified(receiver.received[0], secret)).toMatchObject({ type: 'test.ping' })
    await until(async () => (await deliveriesOf(program, '&state=delivered')).length === 1)
    expect(await deliveriesOf(program)).toHaveLength(1)
    expect(other.received).toHaveLength(0)
    await program.owner.call('PATCH', path, { enabled: false })
    expectRefusal(await program.owner.call('POST', `${path}/test`), 409, 'conflict')
  })
})
