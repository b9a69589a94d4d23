import { describe, expect, test } from 'bun:test'
import { trackingStatusAnswer } from '@tributary/contract'
import { expectRefusal, givenProgram, givenUser, type User } from './support/given.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

/** A signed-in member of the program's workspace. */
const givenMember = async (workspaceId: string, role: string): Promise<User> => {
  const user = await givenUser(service)
  const { id: userId } = await service.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow()
  await service.db.insertInto('members').values({ id: user.email, organizationId: workspaceId, userId, role }).execute()
  return user
}

const statusOf = async (user: User, programId: number) => {
  const { status, body } = await user.call('GET', `/api/tracking/status/${programId}`)
  expect(status).toBe(200)
  return trackingStatusAnswer.parse(body).data
}

describe('the tracking status', () => {
  test('of a new program: every field of the interface, all steps pending', async () => {
    const program = await givenProgram(service)
    const user = await givenMember(program.workspaceId, 'owner')
    await service.db.updateTable('partners').set({ status: 'pending' }).where('programId', '=', program.id).execute()
    const before = Date.now()
    const status = await statusOf(user, program.id)
    const noTests = { testEventCount: 0, hasTestEvents: false, latestTestEvent: null }
    expect(status).toEqual({
      programId: String(program.id),
      stepStatuses: { pageview: 'pending', referrals: 'pending', payments: 'pending' },
      statistics: {
        pageview: noTests,
        referrals: noTests,
        payments: {
          paymentTrackingMode: 'processor_connect',
          methodReady: false,
          processorConnectionStatus: 'not_connected',
          isProcessorConnected: false,
          processorAccountId: null,
          chargesEnabled: false,
          payoutsEnabled: false,
          detailsSubmitted: false,
          connectionDate: null,
        },
      },
      hasPartners: false,
      lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(Date.parse(status.lastUpdated)).toBeGreaterThanOrEqual(before)
  })

  test('pageview becomes complete with a test click event, referrals with a test lead event', async () => {
    const program = await givenProgram(service)
    const user = await givenMember(program.workspaceId, 'owner')
    const additional_data = { test_mode: true }
    const click = await service.call('POST', '/api/v1/track/click', {
      affiliate_url: program.link.url,
      additional_data,
    })
    expect((await statusOf(user, program.id)).stepStatuses).toEqual({
      pageview: 'complete',
      referrals: 'pending',
      payments: 'pending',
    })
    const lead = await program.lead({ additional_data })
    const { stepStatuses, statistics } = await statusOf(user, program.id)
    expect(stepStatuses).toEqual({ pageview: 'complete', referrals: 'complete', payments: 'pending' })
    expect(statistics.pageview).toMatchObject({
      testEventCount: 1,
      hasTestEvents: true,
      latestTestEvent: { id: click.body.data.eventId },
    })
    expect(statistics.referrals).toMatchObject({
      testEventCount: 1,
      hasTestEvents: true,
      latestTestEvent: { id: lead.body.data.eventId },
    })
  })

  test('production events complete no step', async () => {
    const program = await givenProgram(service)
    const user = await givenMember(program.workspaceId, 'owner')
    await service.call('POST', '/api/v1/track/click', { affiliate_url: program.link.url })
    expect((await statusOf(user, program.id)).stepStatuses.pageview).toBe('pending')
  })

  test('testEventCount counts at most 10, and latestTestEvent is the newest', async () => {
    const program = await givenProgram(service)
    const user = await givenMember(program.workspaceId, 'owner')
    let newest = 0
    for (let calls = 0; calls < 12; calls++)
      newest = (await program.lead({ additional_data: { test_mode: true } })).body.data.eventId
    const { referrals } = (await statusOf(user, program.id)).statistics
    expect(referrals).toMatchObject({ testEventCount: 10, latestTestEvent: { id: newest } })
  })

  test('payments is complete with a connected processor, or with s2s', async () => {
    const program = await givenProgram(service)
    const user = await givenMember(program.workspaceId, 'owner')
    const connectedAt = new Date('2026-01-02T03:04:05.678Z')
    const flags = { chargesEnabled: true, payoutsEnabled: true, detailsSubmitted: true }
    const processor = 'stripe'
    const connection = {
      processor,
      programId: program.id,
      status: 'connected',
      accountId: 'acct_1',
      connectedAt,
      ...flags,
    }
    await service.db.insertInto('processorConnections').values(connection).execute()
    const connected = await statusOf(user, program.id)
    expect(connected.stepStatuses.payments).toBe('complete')
    expect(connected.statistics.payments).toEqual({
      paymentTrackingMode: 'processor_connect',
      methodReady: true,
      processorConnectionStatus: 'connected',
      isProcessorConnected: true,
      processorAccountId: 'acct_1',
      ...flags,
      connectionDate: '2026-01-02T03:04:05.678Z',
    })

    await service.db
      .updateTable('processorConnections')
      .set({ status: 'restricted' })
      .where('programId', '=', program.id)
      .execute()
    expect(await statusOf(user, program.id)).toMatchObject({
      stepStatuses: { payments: 'pending' },
      statistics: {
        payments: { processorConnectionStatus: 'restricted', isProcessorConnected: false, processorAccountId: null },
      },
    })

    await user.call('PATCH', `/api/programs/${program.id}`, { paymentTrackingMode: 's2s' })
    expect(await statusOf(user, program.id)).toMatchObject({
      stepStatuses: { payments: 'complete' },
      statistics: { payments: { paymentTrackingMode: 's2s', methodReady: true, isProcessorConnected: false } },
    })
  })

  test('hasPartners counts approved partners only', async () => {
    const program = await givenProgram(service)
    const user = await givenMember(program.workspaceId, 'owner')
    const path = `/api/programs/${program.id}/partners/${program.link.partnerId}`
    for (const [status, hasPartners] of [
      ['pending', false],
      ['approved', true],
      ['suspended', false],
      ['rejected', false],
    ] as const) {
      await user.call('PATCH', path, { status })
      expect((await statusOf(user, program.id)).hasPartners).toBe(hasPartners)
    }
  })
})

describe('permission to read the tracking status', () => {
  test('every role but billing', async () => {
    const program = await givenProgram(service)
    const path = `/api/tracking/status/${program.id}`
    for (const role of ['owner', 'admin', 'member', 'viewer'])
      expect((await (await givenMember(program.workspaceId, role)).call('GET', path)).status).toBe(200)
    expectRefusal(await (await givenMember(program.workspaceId, 'billing')).call('GET', path), 403, 'forbidden')
  })

  test('401 unauthenticated without a session, a program API key included', async () => {
    const program = await givenProgram(service)
    const path = `/api/tracking/status/${program.id}`
    expectRefusal(await service.call('GET', path), 401, 'unauthenticated')
    expectRefusal(
      await service.call('GET', path, undefined, { authorization: `Bearer ${program.key}` }),
      401,
      'unauthenticated',
    )
    expectRefusal(
      await service.call('GET', path, undefined, { cookie: 'tributary.session_token=forged.forged' }),
      401,
      'unauthenticated',
    )
  })

  test('403 forbidden with the session of a non-member', async () => {
    const program = await givenProgram(service)
    expectRefusal(await (await givenUser(service)).call('GET', `/api/tracking/status/${program.id}`), 403, 'forbidden')
  })

  test('404 program_not_found if programId matches no program or is not an integer', async () => {
    const user = await givenUser(service)
    for (const id of ['999999', '0', '-1', '1.5', 'abc', '99999999999999999999', '1e3', '%00', '2147483648'])
      expectRefusal(await user.call('GET', `/api/tracking/status/${id}`), 404, 'program_not_found')
  })
})
