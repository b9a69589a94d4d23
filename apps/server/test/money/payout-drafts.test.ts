import { describe, expect, test } from 'bun:test'
import { confirmedDraft, payoutDraft, payoutSchedule } from '@tributary/contract'
import { prepareDrafts } from '../../src/money/payouts/drafts.ts'
import { latestScheduled, nextScheduled, type ScheduleDays } from '../../src/money/payouts/schedules.ts'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenDraft, givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const MONTHLY = { frequency: 'monthly', day: 1 }

const givenScheduled = async (timezone = 'UTC') => {
  const program = await givenPayingProgram(service, REWARD, { timezone })
  const call = (method: string, path: string, body?: unknown) =>
    program.owner.call(method, `${program.api}/payouts/${path}`, body)
  const draft = async () => (await call('GET', 'draft')).body.data
  const drafts = () =>
    service.db
      .selectFrom('payoutDrafts')
      .select(['period', 'status'])
      .where('programId', '=', program.id)
      .orderBy('id')
      .execute()
  const prepare = (at: string) => prepareDrafts(service.db, { at: new Date(at), announce: async () => {} })
  /** As if the schedule existed since this day. */
  const since = async (lastPeriod: string, schedule: object = MONTHLY) => {
    expect((await call('PUT', 'schedule', schedule)).status).toBe(200)
    await service.db.updateTable('payoutSchedules').set({ lastPeriod }).where('programId', '=', program.id).execute()
  }
  const balanced = async () => {
    const { differences } = await verifyProgram(service.db, { programId: program.id, sealedBefore: null })
    expect(differences).toEqual([])
  }
  return { ...program, call, draft, drafts, prepare, since, balanced }
}

describe('scheduled days', () => {
  const DAYS: [ScheduleDays, today: string, latest: string, next: string][] = [
    [{ frequency: 'monthly', day: 1, weekday: null }, '2026-11-18', '2026-11-01', '2026-12-01'],
    [{ frequency: 'monthly', day: 1, weekday: null }, '2026-12-01', '2026-12-01', '2027-01-01'],
    [{ frequency: 'monthly', day: 28, weekday: null }, '2027-03-01', '2027-02-28', '2027-03-28'],
    [{ frequency: 'twice_monthly', day: 1, weekday: null }, '2026-11-18', '2026-11-15', '2026-12-01'],
    [{ frequency: 'twice_monthly', day: 14, weekday: null }, '2027-02-13', '2027-01-28', '2027-02-14'],
    [{ frequency: 'weekly', day: null, weekday: 1 }, '2026-11-18', '2026-11-16', '2026-11-23'],
    [{ frequency: 'weekly', day: null, weekday: 7 }, '2026-11-22', '2026-11-22', '2026-11-29'],
  ]
  test.each(DAYS)('%j on %s', (schedule, today, latest, next) => {
    expect(latestScheduled(schedule, today)).toBe(latest)
    expect(nextScheduled(schedule, today)).toBe(next)
  })
})

describe('the schedule', () => {
  test('is off at first, is saved, says when the next draft comes, and can be turned off', async () => {
    const { call } = await givenScheduled()
    const off = { frequency: 'off', day: null, weekday: null, nextOn: null, openDraftId: null }
    expect(payoutSchedule.parse((await call('GET', 'schedule')).body.data)).toEqual(off as never)
    const saved = (await call('PUT', 'schedule', { frequency: 'weekly', weekday: 5 })).body.data
    expect(saved).toMatchObject({ frequency: 'weekly', weekday: 5, day: null })
    expect(new Date(saved.nextOn).getUTCDay()).toBe(5)
    expect((await call('GET', 'schedule')).body.data).toEqual(saved)
    expect((await call('PUT', 'schedule', { frequency: 'off' })).body.data).toEqual(off)
  })

  test('rejects days that some month does not have, and changes nothing', async () => {
    const { call } = await givenScheduled()
    for (const [body, field] of [
      [{ frequency: 'monthly', day: 29 }, 'day'],
      [{ frequency: 'monthly' }, 'day'],
      [{ frequency: 'twice_monthly', day: 15 }, 'day'],
      [{ frequency: 'weekly', weekday: 8 }, 'weekday'],
      [{ frequency: 'weekly', day: 1 }, 'weekday'],
      [{ frequency: 'hourly' }, 'frequency'],
      [{}, 'frequency'],
    ] as const) {
      const answer = await call('PUT', 'schedule', body)
      expectRefusal(answer, 400, 'invalid_request')
      expect(answer.body.error.field).toBe(field)
    }
    expect((await call('GET', 'schedule')).body.data.frequency).toBe('off')
  })
})

describe('a draft', () => {
  test('is prepared once at local midnight of the scheduled day, and reserves nothing', async () => {
    const program = await givenScheduled('America/New_York')
    const { prepare, drafts, since, balance } = program
    await givenSale(program, 10_000)
    await since('2098-12-01')
    await prepare('2099-01-01T04:59:59Z')
    expect(await drafts()).toEqual([])
    await Promise.all([prepare('2099-01-01T05:00:00Z'), prepare('2099-01-01T05:00:00Z')])
    await prepare('2099-01-02T05:00:00Z')
    expect(await drafts()).toEqual([{ period: '2099-01-01', status: 'open' }] as never)
    expect(await balance()).toMatchObject({ payableCents: 1_000, batchedCents: 0 })
  })

  test('is not prepared when nothing is payable, nor later on for that day', async () => {
    const { prepare, drafts, since, ...program } = await givenScheduled()
    await since('2098-12-01')
    await prepare('2099-01-01T00:00:00Z')
    await givenSale(program, 10_000)
    await prepare('2099-01-05T00:00:00Z')
    expect(await drafts()).toEqual([])
    await prepare('2099-02-01T00:00:00Z')
    expect(await drafts()).toEqual([{ period: '2099-02-01', status: 'open' }] as never)
  })

  test('is not prepared for the day on which the schedule is saved, and replaces an older one', async () => {
    const { prepare, drafts, call, since, ...program } = await givenScheduled()
    await givenSale(program, 10_000)
    const weekday = service.clock.now().getUTCDay() || 7
    await call('PUT', 'schedule', { frequency: 'weekly', weekday })
    await prepare(service.clock.now().toISOString())
    expect(await drafts()).toEqual([])
    await since('2098-12-01')
    // After downtime only the latest day counts.
    await prepare('2099-02-03T00:00:00Z')
    await prepare('2099-03-01T00:00:00Z')
    expect(await drafts()).toEqual([
      { period: '2099-02-01', status: 'replaced' },
      { period: '2099-03-01', status: 'open' },
    ] as never)
  })

  test('shows what changed, becomes a payout of what is payable now, and only once', async () => {
    const program = await givenScheduled()
    const { call, draft, balance, link, drafts } = program
    const { invoice_id } = await givenSale(program, 10_000)
    const { draftId } = await givenDraft(service, program)
    await givenSale(program, 5_000)
    await program.refund({ invoice_id, amount: 2_000 })
    expect(payoutDraft.parse(await draft())).toMatchObject({
      id: draftId,
      lines: [{ partnerId: link.partnerId, draftCents: 1_000, amountCents: 1_300, payoutId: null }],
    })
    const confirm = () => call('POST', `drafts/${draftId}/confirm`, { note: 'December', reference: 'PO-1' })
    const answers = await Promise.all([confirm(), confirm()])
    const again = await confirm()
    expect([...answers, again].map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set([...answers, again].map(({ body }) => body.data.id)).size).toBe(1)
    const first = answers.find(({ body }) => body.data.changes.length > 0)
    expect(confirmedDraft.parse(first?.body.data)).toMatchObject({
      note: 'December',
      reference: 'PO-1',
      lines: [{ amountCents: 1_300 }],
      changes: [{ partnerId: link.partnerId, draftCents: 1_000, amountCents: 1_300 }],
    })
    expect(await balance()).toMatchObject({ payableCents: 0, batchedCents: 1_300 })
    expect(await draft()).toBeNull()
    expect(await drafts()).toMatchObject([{ status: 'confirmed' }])
    expectRefusal(await call('POST', `drafts/${draftId}/discard`), 409, 'conflict')
    await program.balanced()
  })

  test('is discarded without moving money, and stays so', async () => {
    const program = await givenScheduled()
    const { call, draft, balance } = program
    await givenSale(program, 10_000)
    const { draftId } = await givenDraft(service, program)
    for (const _ of [1, 2])
      expect((await call('POST', `drafts/${draftId}/discard`)).body.data).toEqual({ id: draftId, status: 'discarded' })
    expectRefusal(await call('POST', `drafts/${draftId}/confirm`), 409, 'conflict')
    expect(await draft()).toBeNull()
    expect(await balance()).toMatchObject({ payableCents: 1_000, batchedCents: 0 })
    await prepareDrafts(service.db, { at: service.clock.now(), announce: async () => {} })
    expect(await draft()).toBeNull()
  })

  test('stays open if nothing in it is payable anymore', async () => {
    const program = await givenScheduled()
    await givenSale(program, 10_000)
    const { draftId } = await givenDraft(service, program)
    const { id: payoutId } = await program.pay()
    expect((await program.draft()).lines).toMatchObject([{ draftCents: 1_000, amountCents: 0, payoutId }])
    expectRefusal(await program.call('POST', `drafts/${draftId}/confirm`), 409, 'conflict')
    expect(await program.drafts()).toMatchObject([{ status: 'open' }])
    // What the partner earns after that payout is not in it.
    await givenSale(program, 5_000)
    expect((await program.draft()).lines).toMatchObject([{ draftCents: 1_000, amountCents: 500, payoutId: null }])
  })

  test('is decided only by members who manage payouts, of this workspace', async () => {
    const program = await givenScheduled()
    await givenSale(program, 10_000)
    const { draftId } = await givenDraft(service, program)
    const member = await givenUser(service)
    await givenRole(service, program.workspaceId, member, 'member')
    const stranger = await givenUser(service)
    const paths = [`drafts/${draftId}/confirm`, `drafts/${draftId}/discard`].map(
      (path) => `${program.api}/payouts/${path}`,
    )
    for (const path of paths) {
      expectRefusal(await service.call('POST', path, {}), 401, 'unauthenticated')
      for (const user of [member, stranger]) expectRefusal(await user.call('POST', path, {}), 403, 'forbidden')
    }
    expectRefusal(await member.call('PUT', `${program.api}/payouts/schedule`, { frequency: 'off' }), 403, 'forbidden')
    expect((await member.call('GET', `${program.api}/payouts/draft`)).status).toBe(200)
    for (const id of [draftId + 1_000, 'x'])
      expectRefusal(await program.call('POST', `drafts/${id}/confirm`), 404, 'not_found')
    const other = await givenScheduled()
    expectRefusal(await other.call('POST', `drafts/${draftId}/confirm`), 404, 'not_found')
    expect(await program.draft()).toMatchObject({ id: draftId })
  })
})
