import { expect } from 'bun:test'
import { unique } from '../../../server/test/support/given.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { givenOwner } from './owner.ts'

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** An owner with a partner, 10 % for every sale, and a server that reports sales. */
export const givenCodeSeller = async (service: TestService) => {
  const owner = await givenOwner(service)
  const api = `/api${owner.path}`
  expect((await owner.call('PUT', `${api}/reward`, REWARD)).status).toBe(200)
  const [partner] = (await owner.call('GET', `${api}/partners`)).body.data
  const { key } = await owner.create(`${api}/api-keys`, { name: 'Server' })
  const sell = async (sale: object) => {
    const body = { customer_key: unique('customer'), invoice_id: unique('invoice'), amount: 5_000, ...sale }
    const answer = await service.call('POST', '/api/v1/track/sale', body, { authorization: `Bearer ${key}` })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const addCode = (code: string, more: object = {}) =>
    owner.create(`${api}/codes`, { code, partnerId: partner.id, ...more })
  return { owner, api, key: key as string, partnerId: partner.id as number, sell, addCode }
}
