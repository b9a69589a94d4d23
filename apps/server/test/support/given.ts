import { expect } from 'bun:test'
import { errorAnswer } from '@tributary/contract'
import { inTransaction } from '../../src/database/transaction.ts'
import { createDefaultGroup } from '../../src/partners/groups.ts'
import { createApiKey } from '../../src/programs/api-keys.ts'
import { createAccount, openSession } from './accounts.ts'
import type { Answer, TestService } from './service.ts'
import { unique } from './unique.ts'

export { unique }

export const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** A signed-in user; `user.call` makes calls with their session. */
export const givenUser = async ({ call, db }: TestService) => {
  const { id, email } = await createAccount(db)
  const { name, value } = await openSession(db, id)
  const cookie = `${name}=${value}`
  return { email, cookie, call: (method: string, path: string, body?: unknown) => call(method, path, body, { cookie }) }
}
export type User = Awaited<ReturnType<typeof givenUser>>

export const givenWorkspace = async (user: User): Promise<string> => {
  const { status, body } = await user.call('POST', '/api/workspaces', { name: unique('workspace') })
  expect(status).toBe(201)
  return body.data.id
}

type Settings = {
  cookieWindowDays?: number
  leadAuth?: 'server_required' | 'browser_allowed'
  attributionModel?: 'last_click' | 'first_click'
  paymentTrackingMode?: 'processor_connect' | 's2s'
  currency?: string
  timezone?: string
  respectGlobalPrivacyControl?: boolean
  reviewAdClicks?: boolean
  reviewWithinSeconds?: number
}

/**
 * A program with one approved partner, one active link and one key, inserted directly: other tests cover how they are
 * created.
 */
export const givenProgram = async (service: TestService, settings: Settings = {}) => {
  const { db, clock } = service
  const createdAt = clock.now()
  const workspaceId = unique('workspace')
  await db.insertInto('workspaces').values({ id: workspaceId, name: 'Test', slug: workspaceId }).execute()
  const program = await db
    .insertInto('programs')
    .values({ workspaceId, name: 'Test', createdAt, ...settings })
    .returningAll()
    .executeTakeFirstOrThrow()
  await inTransaction(db, (tx) => createDefaultGroup(tx, { programId: program.id, createdAt }))
  const { key } = await createApiKey(db, { programId: program.id, name: 'test', createdAt })
  const link = await givenLink(service, program.id)
  const keyed = (path: string, body: unknown) => service.call('POST', path, body, { authorization: `Bearer ${key}` })
  return {
    id: program.id,
    workspaceId,
    key,
    link,
    lead: (body: unknown) => keyed('/api/v1/track/lead', body),
    sale: (body: unknown) => keyed('/api/v1/track/sale', body),
  }
}
export type TestProgram = Awaited<ReturnType<typeof givenProgram>>

export const givenLink = async ({ db, clock }: TestService, programId: number, { active = true } = {}) => {
  const createdAt = clock.now()
  const code = unique('partner')
  const partner = await db
    .insertInto('partners')
    .values({ programId, name: 'Partner', code, status: 'approved', createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const aff = unique('aff')
  const { id } = await db
    .insertInto('referralLinks')
    .values({ aff, programId, partnerId: partner.id, active, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('partnerCodes').values({ code, programId, partnerId: partner.id, since: createdAt }).execute()
  return {
    id,
    aff,
    partnerId: partner.id,
    partnerCode: code,
    url: `https://shop.example/?aff=${encodeURIComponent(aff)}`,
  }
}
export type TestLink = Awaited<ReturnType<typeof givenLink>>

export const click = ({ call }: TestService, body: unknown, headers?: Record<string, string>) =>
  call('POST', '/api/v1/track/click', body, headers)

/** Records a click and returns its ID. */
export const givenClick = async (service: TestService, link: TestLink, more: object = {}): Promise<string> => {
  const { status, body } = await click(service, { affiliate_url: link.url, ...more })
  expect(status).toBe(200)
  return body.click_id
}

export const browserLead = ({ call }: TestService, body: unknown) => call('POST', '/api/v1/track/lead', body)

/** Every error response of every route has this shape, with a message that says what to do. */
export const expectRefusal = ({ status, headers, body }: Answer, expectedStatus: number, code: string) => {
  expect({ status, code: body?.error?.code }).toEqual({ status: expectedStatus, code })
  errorAnswer.strict().parse(body)
  expect(body.error.message.length).toBeGreaterThan(10)
  expect(body.error.request_id).toBe(headers.get('x-request-id'))
  expect(headers.get('content-type')).toStartWith('application/json')
}
