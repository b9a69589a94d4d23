import { expect } from 'bun:test'
import { givenUser, unique } from '../../../server/test/support/given.ts'
import { givenPayoutDetails, givenRole } from '../../../server/test/support/money.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { givenOwner } from './owner.ts'
import type { SignedIn } from './visit.ts'

type Owner = Awaited<ReturnType<typeof givenOwner>>

/** A visitor follows a link of the owner's partner, signs up and pays. Returns a function that repeats it. */
export const givenSelling = async (service: TestService, owner: Owner) => {
  const api = `/api${owner.path}`
  const [partner] = (await owner.call('GET', `${api}/partners`)).body.data
  const { aff } = await owner.create(`${api}/links`, { partnerId: partner.id, aff: unique('aff') })
  const { key } = await owner.create(`${api}/api-keys`, { name: 'Server' })
  const keyed = (path: string, body: object) => service.call('POST', path, body, { authorization: `Bearer ${key}` })
  const sell = async (amount: number, lead: { email?: string } = {}, invoice_id = unique('invoice')) => {
    const click = await service.call('POST', '/api/v1/track/click', {
      affiliate_url: `https://shop.example/?aff=${aff}`,
    })
    const customer_key = unique('customer')
    await keyed('/api/v1/track/lead', { customer_key, click_id: click.body.click_id, ...lead })
    const sale = await keyed('/api/v1/track/sale', { customer_key, amount, invoice_id })
    expect(sale.status).toBe(200)
    return { invoice_id }
  }
  const refund = (body: object) => keyed('/api/v1/track/refund', body)
  return { partnerId: partner.id as number, sell, refund }
}

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** An owner whose partner earned 10 % of each of these sales, payable immediately. */
export const givenEarned = async (service: TestService, ...amounts: number[]) => {
  const owner = await givenOwner(service)
  expect((await owner.call('PUT', `/api${owner.path}/reward`, REWARD)).status).toBe(200)
  const selling = await givenSelling(service, owner)
  const sales: { invoice_id: string }[] = []
  for (const amount of amounts) sales.push(await selling.sell(amount))
  return { owner, ...selling, sales }
}

export const givenPayPal = (service: TestService, { path }: { path: string }, partnerId: number) =>
  givenPayoutDetails(service, {
    programId: Number(path.split('/').at(-1)),
    partnerId,
    method: 'paypal',
    account: 'maya@example.com',
  })

/** Another member of the owner's workspace. */
export const givenColleague = async (service: TestService, owner: Owner, role: string): Promise<SignedIn> => {
  const user = await givenUser(service)
  await givenRole(service, owner.workspaceId, user, role)
  return { email: user.email }
}
