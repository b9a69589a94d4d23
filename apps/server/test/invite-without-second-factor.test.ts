import { expect, test } from 'bun:test'
import { givenUser } from './support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from './support/money.ts'
import { givenService } from './support/shared-service.ts'
import { enroll } from './support/two-factor.ts'

const service = await givenService()

test('a session without a second factor cannot let in someone who may pay', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  await givenSale(program, 5_000)
  const plain = await givenUser(service)
  await givenRole(service, program.workspaceId, plain, 'admin')
  const owner = await enroll(service, program.owner)
  expect(
    (await owner.call('PUT', `/api/workspaces/${program.workspaceId}/security`, { requireTwoFactor: true })).status,
  ).toBe(200)
  expect((await plain.call('POST', `${program.api}/payouts`)).status).toBe(403)
  // With the admin's cookie alone (no password, no code): invite an accomplice, who enrolls their own app.
  const mallory = await givenUser(service)
  const invited = await plain.call('POST', `/api/workspaces/${program.workspaceId}/invitations`, {
    email: mallory.email,
    role: 'billing',
  })
  const steps = [invited.status]
  if (invited.status === 201) {
    steps.push((await mallory.call('POST', `/api/invitations/${invited.body.data.id}/accept`)).status)
    const enrolled = await enroll(service, mallory)
    steps.push((await enrolled.call('POST', `${program.api}/payouts`)).status)
  }
  expect(steps).toEqual([403])
})
