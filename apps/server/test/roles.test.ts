import { describe, expect, test } from 'bun:test'
import { ROLES } from '@tributary/contract'
import { EXAMPLE_BODIES } from '@tributary/contract/example-bodies'
import { OPERATIONS } from '@tributary/contract/operations'
import { roleHasPermission } from '../src/accounts/roles.ts'
import { expectRefusal, givenUser, type User } from './support/given.ts'
import { givenPayingProgram, givenRole } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' } })

const users: Record<string, User> = {}
for (const role of ROLES) {
  const user = await givenUser(service)
  await givenRole(service, program.workspaceId, user, role)
  users[role] = user
}

const NAMES: Record<string, unknown> = {
  programId: program.id,
  workspaceId: program.workspaceId,
  partnerId: program.link.partnerId,
  linkId: program.link.id,
}
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => String(NAMES[name] ?? 1))

const guarded = OPERATIONS.filter(({ permission }) => permission !== undefined)

describe('every route of a program or workspace, with every role', () => {
  test('is in this matrix', () => {
    expect(guarded.length).toBeGreaterThan(35)
  })

  for (const { method, path, permission } of guarded)
    for (const role of ROLES) {
      if (permission === undefined || roleHasPermission(role, permission)) continue
      test(`${method.toUpperCase()} ${path} rejects a ${role} and names ${permission}`, async () => {
        const body = method === 'get' || method === 'delete' ? undefined : (EXAMPLE_BODIES[`${method} ${path}`] ?? {})
        const answer = await users[role]?.call(method.toUpperCase(), fill(path), body)
        if (!answer) throw new Error('no such user')
        expectRefusal(answer, 403, 'forbidden')
        expect(answer.body.error.message).toContain(permission)
      })
    }
})

describe('the connection to the payment processor', () => {
  const CHANGES = [
    ['PUT', '/processor', { webhookSecret: 'whsec_chosen_by_a_member' }],
    ['DELETE', '/processor', undefined],
    ['POST', '/processor/connect', {}],
    ['POST', '/processor/replay', { since: '2026-01-01', dryRun: true }],
  ] as const

  for (const [method, path, body] of CHANGES)
    test(`${method} ${path} needs key:manage, because its secret can sign sales`, async () => {
      for (const role of ['member', 'viewer', 'billing']) {
        const answer = await users[role]?.call(method, program.api + path, body)
        if (!answer) throw new Error('no such user')
        expectRefusal(answer, 403, 'forbidden')
        expect(answer.body.error.message).toContain('key:manage')
      }
    })

  test('can be changed by owners and admins, and is shown to every role', async () => {
    for (const role of ['owner', 'admin'])
      expect((await users[role]?.call('PUT', `${program.api}/processor`, CHANGES[0][2]))?.status).toBe(200)
    for (const role of ROLES) {
      const shown = await users[role]?.call('GET', `${program.api}/processor`)
      expect(shown?.status).toBe(200)
      expect(JSON.stringify(shown?.body)).not.toContain('whsec_')
    }
  })
})
