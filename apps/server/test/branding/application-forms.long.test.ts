import { describe, expect, test } from 'bun:test'
import { type ApplicationFacts, isAutoApproved } from '../../src/partners/applications/auto-approval.ts'
import { sendDue } from '../notifications/given-notifications.ts'
import { cookieOf, givenPortal, PASSWORD, REWARD } from '../portal/given-portal.ts'
import { expectRefusal, givenUser, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const service = await startTestService({ mail: smtp.mail })
const { callerWith } = givenPortal(service)

const QUESTIONS = [
  { id: 'site', label: 'Your website', kind: 'url', required: true, options: [] },
  { id: 'how', label: 'How will you promote us?', kind: 'choice', required: false, options: ['Blog', 'Video'] },
  { id: 'why', label: 'Why us?', kind: 'long_text', required: false, options: [] },
]

const givenForm = async (form: object) => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', program.api, { applicationsOpen: true })
  const path = `${program.api}/application-form`
  expect((await program.owner.call('PUT', path, form)).status).toBe(200)
  const page = `/api/public/programs/${program.id}`
  const apply = async (answers: object = {}, email = `${unique('ada')}@example.com`) => {
    const person = { name: 'Ada', email, password: PASSWORD }
    const answer = await service.call('POST', `${page}/apply`, { ...person, answers })
    const signIn = async () =>
      callerWith(cookieOf((await service.call('POST', '/api/auth/sign-in/email', person)).headers))
    return { ...answer, email, signIn }
  }
  const partners = async (query = '') => (await program.owner.call('GET', `${program.api}/partners${query}`)).body.data
  const partnerOf = async (email: string) =>
    (await partners()).find((partner: { email: string }) => partner.email === email)
  return { ...program, path, page, apply, partners, partnerOf }
}

const letterTo = async (email: string) => {
  for (;;) {
    const letter = smtp.received.find(({ to }) => to === email)
    if (letter) return letter
    await Bun.sleep(10)
  }
}

describe('questions', () => {
  test('are shown to applicants, and the answers are kept with the application', async () => {
    const { page, apply, partnerOf, owner, path, api } = await givenForm({ questions: QUESTIONS })
    expect((await service.call('GET', `${page}/application`)).body.data.questions).toEqual(QUESTIONS)
    const { status, email } = await apply({ site: ' https://blog.example/me ', how: 'Blog', why: '' })
    expect(status).toBe(200)
    await owner.call('PUT', path, {})
    const { id, application } = await partnerOf(email)
    expect(application).toMatchObject({
      answers: [
        { question: 'Your website', answer: 'https://blog.example/me' },
        { question: 'How will you promote us?', answer: 'Blog' },
      ],
      emailConfirmed: false,
      message: null,
    })
    expect((await owner.call('GET', `${api}/partners/${id}`)).body.data.application).toEqual(application)
  })

  test.each([
    [{}, 'site'],
    [{ site: 'blog.example' }, 'site'],
    [{ site: 'javascript:alert(1)' }, 'site'],
    [{ site: 'https://a.example', how: 'Ads' }, 'how'],
    [{ site: 'https://a.example', why: 'a\0b' }, 'why'],
    [{ site: 'https://a.example', other: 'x' }, 'other'],
  ])('reject %j and name the question', async (answers, id) => {
    const { apply, partners } = await givenForm({ questions: QUESTIONS })
    const answer = await apply(answers)
    expectRefusal(answer, 400, 'invalid_request')
    expect(answer.body.error.field).toBe(`answers.${id}`)
    expect(await partners('?status=pending')).toEqual([])
  })

  test('are at most 10, with different IDs, and a choice has options', async () => {
    const { owner, path, workspaceId } = await givenForm({ questions: QUESTIONS })
    const text = { id: 'a', label: 'A', kind: 'short_text' }
    for (const questions of [
      Array.from({ length: 11 }, (_, index) => ({ ...text, id: `q${index}` })),
      [text, text],
      [{ ...text, kind: 'choice', options: ['One'] }],
      [{ ...text, kind: 'file' }],
    ])
      expectRefusal(await owner.call('PUT', path, { questions }), 400, 'invalid_request')
    for (const autoApprove of [{ match: 'all' }, { match: 'any', emailDomains: ['@x'] }, { countries: ['Germany'] }])
      expectRefusal(await owner.call('PUT', path, { autoApprove }), 400, 'invalid_request')
    expect((await owner.call('GET', path)).body.data.questions).toEqual(QUESTIONS)
    const viewer = await givenUser(service)
    await givenRole(service, workspaceId, viewer, 'viewer')
    expect((await viewer.call('GET', path)).status).toBe(200)
    expectRefusal(await viewer.call('PUT', path, {}), 403, 'forbidden')
  })
})

describe('automatic approval', () => {
  const RULES = { websiteDomains: ['blog.example'], countries: ['DE'], emailDomains: ['trusted.example'] }
  const FACTS: ApplicationFacts = {
    websites: ['me.blog.example'],
    country: 'DE',
    email: 'a@trusted.example',
    isEmailConfirmed: true,
  }
  test.each([
    ['all conditions hold', 'all', {}, true],
    ['the address is not confirmed', 'all', { isEmailConfirmed: false }, false],
    ['one condition is enough', 'any', { websites: [], country: null }, true],
    ['an unconfirmed address is not enough', 'any', { websites: [], country: 'FR', isEmailConfirmed: false }, false],
    ['a domain only ends the same', 'any', { websites: ['evilblog.example'], country: null, email: 'a@b.c' }, false],
    ['a subdomain in front of another', 'any', { websites: ['blog.example.evil'], country: null, email: 'x' }, false],
  ] as [string, 'all' | 'any', Partial<typeof FACTS>, boolean][])('%s', (_, match, change, expected) => {
    expect(isAutoApproved({ match, ...RULES }, { ...FACTS, ...change })).toBe(expected)
  })

  test('approves an applicant who matches, as the service in the audit log, and leaves others pending', async () => {
    const autoApprove = { match: 'all', websiteDomains: ['blog.example'] }
    const { apply, partnerOf, owner, api } = await givenForm({ questions: QUESTIONS, autoApprove })
    const [match, other] = [
      await apply({ site: 'https://my.blog.example/x' }),
      await apply({ site: 'https://a.example' }),
    ]
    expect(await partnerOf(match.email)).toMatchObject({ status: 'approved' })
    expect(await partnerOf(other.email)).toMatchObject({ status: 'pending' })
    const [entry] = (await owner.call('GET', `${api}/audit?search=partner%20changed`)).body.data
    expect(entry).toMatchObject({ userName: null, after: { status: 'approved', reason: 'matches the approval rules' } })
  })

  test('by email domain waits for the link that was sent to the address', async () => {
    const autoApprove = { match: 'all', emailDomains: ['trusted.example'] }
    const { apply, partnerOf } = await givenForm({ autoApprove })
    const { email } = await apply({}, `${unique('ada')}@trusted.example`)
    expect(await partnerOf(email)).toMatchObject({ status: 'pending' })
    const [, token = ''] = /apply\/confirm\/(\S+)/.exec((await letterTo(email)).text) ?? []
    const confirm = (text: string) => service.call('POST', '/api/public/applications/confirm', { token: text })
    for (const wrong of ['', `${token}x`, `9${token}`, token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
      expectRefusal(await confirm(wrong), 404, 'not_found')
    expect(await partnerOf(email)).toMatchObject({ status: 'pending' })
    const answers = await Promise.all([confirm(token), confirm(token)])
    expect(answers.map(({ status, body }) => [status, body.data.approved])).toEqual([
      [200, true],
      [200, true],
    ])
    expect(await partnerOf(email)).toMatchObject({ status: 'approved', application: { emailConfirmed: true } })
    const outside = await apply()
    expect(await partnerOf(outside.email)).toMatchObject({ status: 'pending' })
    expect(smtp.received.some(({ to }) => to === outside.email)).toBe(false)
  })

  test('does not undo a rejection when the address is confirmed later', async () => {
    const autoApprove = { match: 'any', emailDomains: ['trusted.example'] }
    const { apply, partnerOf, owner, api } = await givenForm({ autoApprove })
    const { email } = await apply({}, `${unique('ada')}@trusted.example`)
    const [, token = ''] = /apply\/confirm\/(\S+)/.exec((await letterTo(email)).text) ?? []
    const { id } = await partnerOf(email)
    await owner.call('PATCH', `${api}/partners/${id}`, { status: 'rejected' })
    const confirmed = await service.call('POST', '/api/public/applications/confirm', { token })
    expect(confirmed.body.data.approved).toBe(false)
    expect(await partnerOf(email)).toMatchObject({ status: 'rejected' })
  })
})

describe('deciding on applications', () => {
  test('approves or rejects the pending ones with a message, once', async () => {
    const { apply, partnerOf, owner, api, link } = await givenForm({})
    const applied = [await apply(), await apply(), await apply()]
    const ids: number[] = []
    for (const { email } of applied) ids.push((await partnerOf(email)).id)
    const decide = (partnerIds: number[], decision: string, message?: string) =>
      owner.call('POST', `${api}/applications/decide`, { partnerIds, decision, message })
    const both = ids.slice(0, 2)
    const answers = await Promise.all([
      decide(both, 'approved', 'Welcome!'),
      decide(both.toReversed(), 'approved', 'Welcome!'),
    ])
    expect(answers.flatMap(({ body }) => body.data.decided).toSorted()).toEqual(both.toSorted())
    expect((await decide([...ids, link.partnerId, 999_999], 'rejected', 'Sorry')).body.data).toEqual({
      decided: [ids[2]],
      skipped: [...both, link.partnerId, 999_999],
    })
    await sendDue(service, smtp.mail)
    const [first, , last] = applied
    for (const [applicant, status, message] of [
      [first, 'approved', 'Welcome!'],
      [last, 'rejected', 'Sorry'],
    ] as const) {
      expect(await partnerOf(applicant?.email ?? '')).toMatchObject({ status, application: { message } })
      const portal = await (await applicant?.signIn())?.call('GET', '/api/portal/programs')
      expect(portal?.body.data).toMatchObject([{ status, decisionMessage: message }])
      await letterTo(applicant?.email ?? '')
      const letters = smtp.received.filter(({ to }) => to === applicant?.email)
      expect(letters).toHaveLength(1)
      expect(letters[0]?.text).toContain(message)
    }
    const entries = (await owner.call('GET', `${api}/audit?search=partner%20changed`)).body.data
    expect(entries).toHaveLength(3)
    expect(entries[0]).toMatchObject({ after: { status: 'rejected', message: 'Sorry' } })
  })

  test('needs partner:manage, at most 100 partners and a message of at most 500 characters', async () => {
    const { apply, partnerOf, owner, api, workspaceId } = await givenForm({})
    const { email } = await apply()
    const { id } = await partnerOf(email)
    const path = `${api}/applications/decide`
    const viewer = await givenUser(service)
    await givenRole(service, workspaceId, viewer, 'viewer')
    expectRefusal(await viewer.call('POST', path, { partnerIds: [id], decision: 'approved' }), 403, 'forbidden')
    for (const wrong of [
      { partnerIds: [] },
      { partnerIds: Array.from({ length: 101 }, (_, index) => index + 1) },
      { partnerIds: [id], decision: 'suspended' },
      { partnerIds: [id], message: 'x'.repeat(501) },
    ])
      expectRefusal(await owner.call('POST', path, { decision: 'approved', ...wrong }), 400, 'invalid_request')
    expect(await partnerOf(email)).toMatchObject({ status: 'pending' })
  })
})
