import { describe, expect, test } from 'bun:test'
import { givenService } from '../support/shared-service.ts'
import { deliveriesOf, givenEndpoint, givenEvents, givenOwner, givenReceiver, LOCAL, until } from './given-webhooks.ts'

const service = await givenService(LOCAL)

/** A program with two deliveries of which at least the first has failed once; the receiver works again. */
const givenRecovered = async (settings: object = {}) => {
  const program = await givenOwner(service)
  let status = 500
  const receiver = givenReceiver(() => ({ status }))
  const { id } = await givenEndpoint(program, { url: receiver.url, ...settings })
  await givenEvents(service, program.id, ['lead.created', 'sale.created'])
  const isIdle = async () => {
    const { rows } = await service.pool.query(
      `SELECT count(*)::integer AS busy FROM webhook_deliveries WHERE program_id = $1 AND lease IS NOT NULL`,
      [program.id],
    )
    return rows[0].busy === 0 && (await deliveriesOf(program))[0]?.lastStatus === 500
  }
  await until(isIdle)
  status = 200
  const resend = (body: object = {}) =>
    program.owner.call('POST', `${program.api}/webhook-deliveries/resend`, { since: '2020-01-01', ...body })
  const set = (enabled: boolean) => program.owner.call('PATCH', `${program.api}/webhook-endpoints/${id}`, { enabled })
  const delivered = () => until(async () => (await deliveriesOf(program, '&state=delivered')).length === 2)
  return { program, receiver, id, resend, set, delivered }
}

describe('after an outage', () => {
  test('enabling an endpoint sends what waits for a retry, in order; until then no next attempt is promised', async () => {
    const { program, receiver, set, delivered } = await givenRecovered({ ordered: true })
    const before = receiver.received.length
    await set(false)
    for (const delivery of await deliveriesOf(program))
      expect(delivery).toMatchObject({ state: 'pending', nextAttemptAt: null })
    await set(true)
    await delivered()
    expect(receiver.sequences().slice(before)).toEqual([1, 2])
  })

  test('resending failed deliveries includes those that wait for a retry, and says which are left out', async () => {
    const { program, resend, set, id, delivered } = await givenRecovered()
    await until(async () => (await deliveriesOf(program)).every(({ attempts }: { attempts: number }) => attempts > 0))
    await set(false)
    expect((await resend()).body.data).toEqual({ resent: 0, hasMore: false, disabled: 2 })
    await service.pool.query(
      'UPDATE webhook_endpoints SET enabled = true, disabled_at = NULL, disabled_reason = NULL WHERE program_id = $1 AND id = $2',
      [program.id, id],
    )
    expect((await resend()).body.data).toEqual({ resent: 2, hasMore: false })
    await delivered()
    expect((await resend()).body.data).toEqual({ resent: 0, hasMore: false })
  })
})
