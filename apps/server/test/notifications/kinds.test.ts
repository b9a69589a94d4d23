import { describe, expect, test } from 'bun:test'
import { prepareDrafts } from '../../src/money/payouts/drafts.ts'
import { announceDraft } from '../../src/notifications/announce.ts'
import { runChecks } from '../../src/notifications/checks/run-checks.ts'
import { applyTierRules } from '../../src/tracking/groups/apply-tier-rules.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenRole, givenSale } from '../support/money.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { startSmtp } from '../support/smtp.ts'
import { sendDue } from './given-notifications.ts'

const service = await givenService()
const smtp = await startSmtp()
const { givenPartner } = givenPortal(service)
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0, minimumPayoutCents: 0 }

const givenPartnership = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const partner = await givenPartner(program)
  return { ...program, partner, portal: `/api/portal/programs/${program.id}` }
}

type Caller = { call: (method: string, path: string) => Promise<{ body: { data: { notifications: Shown[] } } }> }
type Shown = { kind: string; title: string; text: string; path: string }
const shownTo = async (caller: Caller, api: string) =>
  (await caller.call('GET', `${api}/notifications`)).body.data.notifications
const kindsOf = (shown: Shown[]) => shown.map(({ kind }) => kind)

/** Twice at the same time, as two nodes would. */
const check = () => Promise.all([1, 2].map(() => runChecks({ db: service.db, clock: service.clock.now })))

describe('a partner is notified once', () => {
  test('about a payout, with its amount, date and reference', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    await givenSale(program, 5_000)
    const payout = await program.pay()
    const [line] = payout.lines
    for (const _ of [1, 2])
      expect((await program.decide(payout.id, line.id, { status: 'paid', reference: 'TR-7' })).status).toBe(200)
    expect(await shownTo(partner, portal)).toMatchObject([
      { kind: 'payout_sent', title: 'Test sent you $5.00', text: 'The payment was sent. Reference: TR-7' },
    ])
    await sendDue(service, smtp.mail)
    const letters = smtp.received.filter(({ to }) => to === partner.email)
    expect(letters).toHaveLength(1)
    expect(letters[0]?.text).toContain(`http://localhost:3000/portal/${program.id}/payouts`)
  })

  test('nothing about a failed payout', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    await givenSale(program, 5_000)
    const payout = await program.pay()
    await program.decide(payout.id, payout.lines[0].id, { status: 'failed' })
    expect(await shownTo(partner, portal)).toEqual([])
  })

  test('about changed terms that apply to them', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    const other = await givenPartner(program, await givenLink(service, program.id))
    const put = async (path: string, body: object) => {
      service.clock.advance(1_000)
      expect((await program.owner.call('PUT', `${program.api}${path}`, body)).status).toBe(200)
      await check()
    }
    const more = (percentBps: number) => ({ ...REWARD, sale: { percentBps, duration: 'lifetime' } })
    await put('/reward', REWARD)
    expect(await shownTo(partner, portal)).toEqual([])
    await put(`/partners/${program.link.partnerId}/reward`, more(2_000))
    expect(kindsOf(await shownTo(other, portal))).toEqual([])
    await put('/reward', more(1_500))
    expect(kindsOf(await shownTo(other, portal))).toEqual(['terms_changed'])
    expect(await shownTo(partner, portal)).toMatchObject([{ title: 'Your reward terms changed' }])
    await put('/agreement', { text: 'Be kind' })
    expect(await shownTo(partner, portal)).toMatchObject([
      { title: 'The partner agreement changed', path: `/portal/${program.id}/agreement` },
      { kind: 'terms_changed' },
    ])
  })

  test('about a move to a group with other terms, by a member or by a tier', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    const { partnerId } = program.link
    const same = (await program.owner.call('POST', `${program.api}/groups`, { name: 'Same' })).body.data
    const gold = (await program.owner.call('POST', `${program.api}/groups`, { name: 'Gold' })).body.data
    const better = { ...REWARD, sale: { percentBps: 2_000, duration: 'lifetime' } }
    await program.owner.call('PUT', `${program.api}/groups/${gold.id}/reward`, better)
    const moveTo = async (groupId: number) => {
      service.clock.advance(1_000)
      const path = `${program.api}/groups/${groupId}/partners`
      expect((await program.owner.call('POST', path, { partnerIds: [partnerId] })).status).toBe(200)
      await check()
    }
    await moveTo(same.id)
    expect(await shownTo(partner, portal)).toEqual([])
    await moveTo(gold.id)
    expect(await shownTo(partner, portal)).toMatchObject([
      { kind: 'terms_changed', title: 'Your reward terms changed', text: expect.stringContaining('moved') },
    ])
    await moveTo(same.id)
    const tierRule = { after: { sales: 1 }, within: 'all', moveTo: gold.id }
    await program.owner.call('PATCH', `${program.api}/groups/${same.id}`, { tierRule })
    await givenSale(program, 5_000)
    service.clock.advance(1_000)
    await Promise.all([1, 2].map(() => applyTierRules({ db: service.db, clock: service.clock.now })))
    await check()
    await check()
    const titles = (await shownTo(partner, portal))
      .filter(({ kind }) => kind === 'terms_changed')
      .map(({ title }) => title)
    expect(titles).toEqual(['You reached a new tier in Test', 'Your reward terms changed', 'Your reward terms changed'])
  })

  test('about their first commission, and each month about missing payout details', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    const { customer_key } = await givenSale(program, 5_000)
    await check()
    await check()
    const shown = await shownTo(partner, portal)
    expect(kindsOf(shown).toSorted()).toEqual(['first_commission', 'payout_details_missing'])
    expect(shown.map(({ title, text }) => `${title} ${text}`).join()).toContain('first commission: $5.00')
    expect(shown.map(({ text }) => text).join()).toContain('You have $5.00 to be paid. Add your payout details so ')
    expect(JSON.stringify(shown)).not.toContain(customer_key)
    service.clock.advance(31 * DAY_MS)
    await check()
    const later = kindsOf(await shownTo(partner, portal))
    expect(later.filter((kind) => kind === 'payout_details_missing')).toHaveLength(2)
    expect(later.filter((kind) => kind === 'first_commission')).toHaveLength(1)
    const details = { method: 'paypal', account: 'maya@example.com' }
    await givenPayoutDetails(service, { programId: program.id, partnerId: program.link.partnerId, ...details })
    service.clock.advance(31 * DAY_MS)
    await check()
    expect(kindsOf(await shownTo(partner, portal)).filter((kind) => kind === 'payout_details_missing')).toHaveLength(2)
  })

  test('how the month or week went, as often as they want', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    const quiet = await givenPartner(program, await givenLink(service, program.id))
    const weekly = await givenPartner(program)
    const off = await givenPartner(program)
    for (const [who, summary] of [
      [weekly, 'weekly'],
      [off, 'off'],
    ] as const)
      expect((await who.call('PUT', `${portal}/notifications/preferences`, { summary })).body.data.summary).toBe(
        summary,
      )
    await givenSale(program, 5_000)
    const summaries = async (of: Caller) => (await shownTo(of, portal)).filter(({ kind }) => kind === 'summary')
    const now = service.clock.now()
    service.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15) - now.getTime())
    await check()
    await check()
    const [summary, ...more] = await summaries(partner)
    expect(more).toEqual([])
    expect(summary).toMatchObject({ title: 'Your month with Test' })
    for (const silent of [quiet, weekly, off]) expect(await summaries(silent)).toEqual([])
    await givenSale(program, 5_000)
    service.clock.advance(7 * DAY_MS)
    await check()
    expect(await summaries(weekly)).toMatchObject([{ title: 'Your week with Test' }])
    expect(await summaries(off)).toEqual([])
  })
})

describe('the team is notified once', () => {
  test('about a payout draft, if they may pay', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const member = await givenUser(service)
    await givenRole(service, program.workspaceId, member, 'member')
    await givenSale(program, 5_000)
    const { partnerId } = program.link
    await givenPayoutDetails(service, { programId: program.id, partnerId, method: 'bank', account: 'DE89' })
    const other = await givenLink(service, program.id)
    const customer_key = unique('customer')
    await program.lead({ click_id: await givenClick(service, other), customer_key })
    await program.sale({ customer_key, amount: 3_000, invoice_id: unique('invoice') })
    await program.owner.call('PUT', `${program.api}/payouts/schedule`, { frequency: 'monthly', day: 1 })
    await service.db.updateTable('payoutSchedules').set({ lastPeriod: '2020-01-01' }).execute()
    const at = service.clock.now()
    const prepare = () =>
      prepareDrafts(service.db, { at, announce: (tx, draft) => announceDraft(tx, { ...draft, at }) })
    await Promise.all([prepare(), prepare()])
    expect(await shownTo(program.owner, program.api)).toMatchObject([
      {
        title: 'Payout draft ready: $5.00 for 1 partner',
        text: 'You send the money yourself after you confirm the draft. 1 more partner ($3.00) can’t be paid yet: payout details are missing.',
        path: `/programs/${program.id}/payouts/draft`,
      },
    ])
    expect(await shownTo(member, program.api)).toEqual([])
    await sendDue(service, smtp.mail)
    const received = [program.owner, member].map(({ email }) => smtp.received.filter(({ to }) => to === email).length)
    expect(received).toEqual([1, 0])
  })

  test('a day about commissions in review, if there are new ones', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 100 } })
    for (let leads = 0; leads < 7; leads++) await program.customer()
    await check()
    const shown = async () =>
      (await shownTo(program.owner, program.api)).filter(({ kind }) => kind === 'review_waiting')
    expect(await shown()).toHaveLength(1)
    expect((await shown())[0]?.title).toMatch(/^\d commissions? needs? review$/)
    service.clock.advance(DAY_MS)
    await check()
    expect(await shown()).toHaveLength(1)
  })

  test('when regular clicks stop', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const shown = async () =>
      (await shownTo(program.owner, program.api)).filter(({ kind }) => kind === 'clicks_stopped')
    for (let days = 0; days < 7; days++) {
      await givenClick(service, program.link)
      service.clock.advance(DAY_MS)
    }
    await check()
    expect(await shown()).toEqual([])
    service.clock.advance(3 * DAY_MS)
    await check()
    service.clock.advance(DAY_MS)
    await check()
    expect(await shown()).toHaveLength(1)
    await givenClick(service, program.link)
    service.clock.advance(4 * DAY_MS)
    await check()
    expect(await shown()).toHaveLength(2)
  })

  test('when a busy payment processor falls silent', async () => {
    const program = await givenPayingProgram(service, REWARD)
    const at = service.clock.now()
    await service.db
      .insertInto('processorConnections')
      .values({ processor: 'stripe', programId: program.id, status: 'connected', connectedAt: at })
      .execute()
    await service.db
      .insertInto('processorHomePrograms')
      .values({ workspaceId: program.workspaceId, programId: program.id })
      .execute()
    const event = (index: number) => ({
      programId: program.id,
      processor: 'stripe',
      eventId: unique(`evt${index}`),
      type: 'invoice.paid',
      livemode: true,
      createdAt: at,
      receivedAt: at,
      payload: Buffer.from('{}'),
    })
    const shown = async () =>
      (await shownTo(program.owner, program.api)).filter(({ kind }) => kind === 'connection_silent')
    await service.db
      .insertInto('processorEvents')
      .values(Array.from({ length: 10 }, (_, index) => event(index)))
      .execute()
    service.clock.advance(6 * DAY_MS)
    await check()
    expect(await shown()).toEqual([])
    service.clock.advance(2 * DAY_MS)
    await check()
    expect(await shown()).toMatchObject([{ title: 'No payment events for 7 days' }])
  })
})

describe('preferences', () => {
  test('list what the role gets, and change only what is named', async () => {
    const program = await givenPayingProgram(service, null)
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    const path = `${program.api}/notifications/preferences`
    expect((await viewer.call('GET', path)).body.data).toEqual({ hasMail: false, kinds: [] })
    const change = { kind: 'draft_ready', mail: false, app: false }
    const { kinds } = (await program.owner.call('PUT', path, { kinds: [change] })).body.data
    expect(kinds).toContainEqual(change)
    expect(kinds).toContainEqual({ kind: 'application_received', mail: true, app: true })
    for (const wrong of [
      {},
      { kinds: [{ kind: 'summary', mail: true, app: true }] },
      { kinds: [change, change] },
      { kinds: [{ kind: 'draft_ready', mail: 'no', app: true }] },
    ])
      expectRefusal(await program.owner.call('PUT', path, wrong), 400, 'invalid_request')
    expect((await program.owner.call('GET', path)).body.data.kinds).toEqual(kinds)
  })

  test('turn a notification off in the app, by email or both', async () => {
    const { partner, portal, ...program } = await givenPartnership()
    const set = (mail: boolean, app: boolean) =>
      partner.call('PUT', `${portal}/notifications/preferences`, { kinds: [{ kind: 'terms_changed', mail, app }] })
    const change = (text: string) => program.owner.call('PUT', `${program.api}/agreement`, { text })
    const received = () => smtp.received.filter(({ to }) => to === partner.email).length
    await set(false, true)
    await change('one')
    await set(true, false)
    await change('two')
    await set(false, false)
    await change('three')
    await sendDue(service, smtp.mail)
    // The second waited while emails were turned off again.
    expect(received()).toBe(0)
    expect(await shownTo(partner, portal)).toHaveLength(1)
    await set(true, false)
    await change('four')
    await sendDue(service, smtp.mail)
    expect(received()).toBe(1)
  })
})

test('reading marks one or all, and only the reader’s', async () => {
  const { partner, portal, ...program } = await givenPartnership()
  const other = await givenPartner(program)
  for (const text of ['one', 'two', 'three']) await program.owner.call('PUT', `${program.api}/agreement`, { text })
  const [newest] = (await partner.call('GET', `${portal}/notifications`)).body.data.notifications
  const read = (body?: object) => partner.call('POST', `${portal}/notifications/read`, body)
  expect((await read({ ids: [newest.id, 999_999] })).body.data.unread).toBe(2)
  expectRefusal(await read({ ids: ['x'] }), 400, 'invalid_request')
  expectRefusal(await read({ ids: Array.from({ length: 101 }, () => 1) }), 400, 'invalid_request')
  expect((await read()).body.data).toMatchObject({ unread: 0 })
  expect((await other.call('GET', `${portal}/notifications`)).body.data.unread).toBe(3)
})

describe('previews', () => {
  test('show every kind, and a sample can be sent to oneself', async () => {
    const mailing = await startTestService({ mail: smtp.mail })
    const program = await givenPayingProgram(mailing, null)
    const { data } = (await program.owner.call('GET', `${program.api}/notifications/previews`)).body
    expect(data).toMatchObject({ hasMail: true, problems: [] })
    expect(data.previews).toHaveLength(14)
    for (const { subject, text, html } of data.previews) {
      for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|null|NaN|\[object/)
      expect(html).not.toContain('/unsubscribe/')
    }
    const send = (body: object) => program.owner.call('POST', `${program.api}/notifications/test`, body)
    expect((await send({ kind: 'payout_sent' })).body.data).toEqual({ email: program.owner.email, mailed: true })
    const [letter] = smtp.received.filter(({ to }) => to === program.owner.email)
    expect(letter?.header).toContain('Subject: [Sample] Test sent you $125.00')
    expect(letter?.header).not.toContain('List-Unsubscribe')
    expectRefusal(await send({ kind: 'nothing' }), 400, 'invalid_request')
  })

  test('need a mail server to be sent', async () => {
    const program = await givenPayingProgram(service, null)
    const answer = await program.owner.call('POST', `${program.api}/notifications/test`, { kind: 'summary' })
    expectRefusal(answer, 409, 'conflict')
  })
})
