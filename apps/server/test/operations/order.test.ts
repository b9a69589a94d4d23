import { describe, expect, test } from 'bun:test'
import type { Declaration } from '@tributary/contract/declarations'
import { DECLARATIONS } from '@tributary/contract/operations'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })
const viewer = await givenUser(service)
await givenRole(service, program.workspaceId, viewer, 'viewer')
const outsider = await givenUser(service)

const of = (caller: string) => DECLARATIONS.filter((each) => (each.caller ?? 'session') === caller)

const HERE: Record<string, unknown> = { programId: program.id, workspaceId: program.workspaceId }
const NOWHERE = { programId: 999_999, workspaceId: 'unknown' }

/** A call that is wrong in every way that its declaration allows, in the given place. */
const worst = ({ method, path, query }: Declaration, place = HERE) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(place[name] ?? 999_999))
  const hasBody = !['get', 'delete'].includes(method)
  return [method.toUpperCase(), `${filled}${query ? '?page=x&limit=x' : ''}`, hasBody ? 'no JSON' : undefined] as const
}
const things = ({ path }: Declaration) => [...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => !(name in HERE))
const name = ({ method, path }: Declaration) => `${method.toUpperCase()} ${path}`

describe('a call that is wrong in several ways is refused for the first of them', () => {
  test('every operation is here', () => {
    expect(DECLARATIONS.length).toBeGreaterThan(20)
    expect([...of('session'), ...of('partner'), ...of('key'), ...of('public')].length).toBe(DECLARATIONS.length)
  })

  for (const one of [...of('session'), ...of('partner')])
    test(`${name(one)}: who are you`, async () => {
      expectRefusal(await service.call(...worst(one, NOWHERE)), 401, 'unauthenticated')
    })

  for (const one of of('key'))
    test(`${name(one)}: who are you`, async () => {
      expectRefusal(await service.call(...worst(one)), 401, 'missing_api_key')
      const answer = await service.call(...worst(one), { authorization: `Bearer ${program.key}` })
      expectRefusal(answer, 400, 'invalid_request')
    })

  for (const one of [...of('session'), ...of('partner')].filter(({ path }) => /\{(program|workspace)Id\}/.test(path)))
    test(`${name(one)}: does it exist for you, may you`, async () => {
      const code = one.path.includes('{programId}') ? 'program_not_found' : 'not_found'
      expectRefusal(await program.owner.call(...worst(one, NOWHERE)), 404, code)
      if (!one.isOpenToApplicants) expectRefusal(await outsider.call(...worst(one)), 403, 'forbidden')
    })

  for (const one of of('session'))
    test(`${name(one)}: may you, is the thing there, is the request well-formed`, async () => {
      // Without a place in the path, the body says where.
      if (/\{(program|workspace)Id\}/.test(one.path) && one.permission && !/:(read|list)$/.test(one.permission))
        expectRefusal(await viewer.call(...worst(one)), 403, 'forbidden')
      const [method, path, body] = worst(one)
      // A stream has no request that could be wrong. HEAD does not keep it open.
      const answer = await program.owner.call(one.stream === 'only' ? 'HEAD' : method, path, body)
      if (things(one)) expectRefusal(answer, 404, 'not_found')
      else expect(one.request || one.query || one.upload ? [400, 200] : [409, 200]).toContain(answer.status)
    })
})
