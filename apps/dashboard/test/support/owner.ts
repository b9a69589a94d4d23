import { expect } from 'bun:test'
import { givenUser, givenWorkspace, unique } from '../../../server/test/support/given.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import type { Account } from './service.ts'

/** An owner with a workspace, a program and an approved partner. */
export const givenOwner = async (service: TestService) => {
  const user = await givenUser(service)
  const create = async (path: string, body: object) => {
    const response = await user.call('POST', path, body)
    expect(response.status).toBe(201)
    return response.body.data
  }
  const workspaceId = await givenWorkspace(user)
  const program = await create('/api/programs', {
    name: unique('program'),
    workspaceId,
    websites: ['https://shop.example'],
  })
  const path = `/api/programs/${program.id}`
  await create(`${path}/partners`, { name: 'Maya Lindqvist', status: 'approved' })
  const account: Account = { email: user.email, password: 'a long password' }
  return { ...user, account, create, workspaceId, path: `/programs/${program.id}` }
}
