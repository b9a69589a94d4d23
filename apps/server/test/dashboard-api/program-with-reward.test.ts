import { expect, test } from 'bun:test'
import { expectRefusal, givenUser, givenWorkspace } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

const givenOwner = async () => {
  const owner = await givenUser(service)
  return { ...owner, workspaceId: await givenWorkspace(owner) }
}

test('a program is created with its reward in one request', async () => {
  const { call, workspaceId } = await givenOwner()
  const reward = { sale: { percentBps: 2_000, duration: 'lifetime' }, lead: { amountCents: 300 }, holdDays: 14 }
  const { status, body } = await call('POST', '/api/programs', { workspaceId, name: 'P', currency: 'EUR', reward })
  expect(status).toBe(201)
  expect(body.data.reward).toMatchObject({ ...reward, currency: 'EUR', version: 1 })
  const audit = (await call('GET', `/api/programs/${body.data.id}/audit`)).body.data
  expect(audit).toMatchObject([
    { action: 'reward terms changed', subject: 'program reward terms', before: null },
    { action: 'program created', subject: 'program' },
    { action: 'workspace created', subject: 'workspace' },
  ])
})

test('a program without a reward has no terms', async () => {
  const { call, workspaceId } = await givenOwner()
  const { body } = await call('POST', '/api/programs', { workspaceId, name: 'P' })
  expect(body.data.reward).toMatchObject({ lead: null, sale: null, version: null })
})

test('an invalid reward creates no program', async () => {
  const { call, workspaceId } = await givenOwner()
  const create = (reward: object) => call('POST', '/api/programs', { workspaceId, name: 'P', reward })
  expectRefusal(await create({ sale: { percentBps: 0, duration: 'lifetime' } }), 400, 'invalid_request')
  expectRefusal(await create({ lead: { amountCents: 1 }, currency: 'JPY' }), 400, 'invalid_currency')
  expect((await call('GET', '/api/programs')).body.data).toEqual([])
})
