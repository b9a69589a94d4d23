import { expect } from 'bun:test'
import { givenClick, unique } from '../../../../apps/server/test/support/given.ts'
import type { TestService } from '../../../../apps/server/test/support/service.ts'
import type { givenReader } from './follow-guide.ts'

type Reader = Awaited<ReturnType<typeof givenReader>>
type Served = { service: TestService; reader: Reader; server: Awaited<ReturnType<Reader['start']>> }

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Tracking never breaks a sign-up, and no input stops the server. */
const expectRobustSignUps = async ({ service, reader, server }: Served) => {
  const cookie = `service_click_id=${await givenClick(service, reader.program.link)}`
  const odd = await post(`${server.url}/sign-up`, { email: { not: 'text' } }, { cookie })
  expect({ status: odd.status, body: await odd.json() }).toEqual({
    status: 200,
    body: { id: expect.stringMatching(/^user_/) },
  })
  for (const body of [undefined, [], 7]) await post(`${server.url}/sign-up`, body, { cookie })
  expect((await post(`${server.url}/sign-up`, { email: 'ada@example.com' }, { cookie })).status).toBe(200)
  expect(server.isRunning()).toBe(true)
}

/** A sale that cannot be sent fails, so that the webhook is delivered again, but does not stop the server. */
const expectRobustSales = async ({ server }: Served) => {
  const paid = { customer: 'user_42', cents: 4900, invoice: unique('inv') }
  for (const body of [{ ...paid, cents: 49.9 }, { ...paid, customer: 42 }, {}, undefined])
    expect((await post(`${server.url}/paid`, body)).status).toBeGreaterThanOrEqual(400)
  expect((await post(`${server.url}/paid`, paid)).status).toBe(200)
  expect(server.isRunning()).toBe(true)
}

/** The guides, each with a check that its server survives arbitrary input. */
export const GUIDES = {
  'send-leads.md': expectRobustSignUps,
  'server-sales.md': expectRobustSales,
}
