import { describe, expect, test } from 'bun:test'
import { givenClick, unique } from '../../../apps/server/test/support/given.ts'
import { startTestService } from '../../../apps/server/test/support/service.ts'
import { isLongRun } from '../../../apps/server/test/support/size.ts'
import { givenReader } from './support/follow-guide.ts'
import { asShown, type Block, readGuide } from './support/guide.ts'
import { givenProjectWith } from './support/installed-project.ts'

/** Strangers can send anything to the servers of the guides. None of it may stop a server, or a sign-up because of tracking. */
const service = await startTestService()
const project = givenProjectWith(['express', 'fastify', 'hono'])

type Server = [name: string, block: Block, how: { express4?: boolean }]

const serversOf = (guide: string): Server[] => {
  const servers = readGuide(guide).filter(({ section, language }) => section.startsWith('2.') && language === 'js')
  const [express] = servers
  if (express?.part !== 'Express') throw new Error('the first server is not that of Express')
  return [
    ['Express, as version 4 has it', express, { express4: true }],
    ...servers.map((block): Server => [block.part, block, {}]),
  ]
}

/** Every one in the long form; in the short form each framework stands in one of the two guides. */
const everyOther = (servers: Server[], rest: 0 | 1) => servers.filter((_, index) => isLongRun || index % 2 === rest)

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

describe('a sign-up does not fail because of tracking, and nothing that a stranger sends stops the server of', () => {
  for (const [name, block, how] of everyOther(serversOf('send-leads.md'), 0))
    test(name, async () => {
      const reader = await givenReader(service, project)
      const server = await reader.start(block, how)
      const cookie = `service_click_id=${await givenClick(service, reader.program.link)}`
      const odd = await post(`${server.url}/sign-up`, { email: { not: 'text' } }, { cookie })
      expect({ status: odd.status, body: await odd.json() }).toEqual({
        status: 200,
        body: { id: expect.stringMatching(/^user_/) },
      })
      for (const body of [undefined, [], 7]) await post(`${server.url}/sign-up`, body, { cookie })
      expect((await post(`${server.url}/sign-up`, { email: 'ada@example.com' }, { cookie })).status).toBe(200)
      expect(server.isRunning()).toBe(true)
    })
})

describe('a sale that cannot be sent fails, so that it is delivered again, and does not stop the server of', () => {
  for (const [name, block, how] of everyOther(serversOf('server-sales.md'), 1))
    test(name, async () => {
      const reader = await givenReader(service, project)
      const server = await reader.start(block, how)
      const paid = { customer: 'user_42', cents: 4900, invoice: unique('inv') }
      for (const body of [{ ...paid, cents: 49.9 }, { ...paid, customer: 42 }, {}, undefined])
        expect((await post(`${server.url}/paid`, body)).status).toBeGreaterThanOrEqual(400)
      expect((await post(`${server.url}/paid`, paid)).status).toBe(200)
      expect(server.isRunning()).toBe(true)
    })
})

test('what a guide leaves out may be anything, what it shows may not', () => {
  const came = { totals: { clicks: 1, sales: 2 }, days: [] }
  expect(came).toEqual(asShown({ totals: { clicks: 1, '…': '…' }, '…': '…' }) as typeof came)
  expect(came).not.toEqual(asShown({ totals: { clicks: 2, '…': '…' }, '…': '…' }) as typeof came)
  expect(came).not.toEqual(asShown({ totals: { leads: 1, '…': '…' }, '…': '…' }) as typeof came)
  expect(came).not.toEqual(asShown({ totals: { clicks: 1 }, '…': '…' }) as typeof came)
})
