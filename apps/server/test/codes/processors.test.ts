import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { Delivery } from '@tributary/example-processor/fakes'
import { contentOf, givenFake, type Processed, withContent } from '../processor/standard-webhooks/given-fake.ts'
import { unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { TEN_PERCENT, withCodes } from './given-codes.ts'

const service = await givenService()

const given = async (processed: Processed) => {
  const fake = await givenFake(service, processed, { reward: TEN_PERCENT })
  const program = withCodes(service, fake)
  const owned = await program.assigned({ code: 'SAM20' })
  service.clock.advance(2_000)
  return {
    ...program,
    ...fake,
    owned,
    sold: async () =>
      (await fake.sales()).map(({ creditSource, partnerId, reason }) => [creditSource, partnerId ?? reason]),
  }
}

const PADDLE: Processed = {
  processor: 'paddle',
  newSecret: () => `pdl_ntfset_01${unique('secret').replaceAll('-', '')}_${randomBytes(16).toString('hex')}`,
}
const POLAR: Processed = { processor: 'polar', newSecret: () => `whsec_${randomBytes(16).toString('hex')}` }

describe('a discount of Paddle', () => {
  /** A payment without metadata, as far as it says which discount it was made with. */
  const payment = async (program: Awaited<ReturnType<typeof given>>, discount: string | null): Promise<Delivery[]> => {
    const { deliveries } = await program.checkout()
    return deliveries.map((delivery) =>
      withContent(delivery, ({ data }) => {
        data.custom_data = null
        data.discount_id = discount
      }),
    )
  }
  const discountEvent = (like: Delivery, discount: { id: string; code: string | null }) =>
    withContent(like, (content) => {
      content.event_id = `evt_${unique('discount')}`
      content.event_type = 'discount.created'
      content.data = { ...discount, description: 'Sam', enabled_for_checkout: true, status: 'active' }
    })

  test.each(['before', 'after'])('whose code is reported %s the payment is credited to its owner', async (order) => {
    const program = await given(PADDLE)
    const id = 'dsc_01gv5kpg05xp104ek2fmgjwttf'
    const paid = await payment(program, id)
    const learned = discountEvent(paid[0] as Delivery, { id, code: 'SAM20' })
    await program.send(...(order === 'before' ? [learned, ...paid] : [...paid, learned]))
    expect(await program.sold()).toEqual([['code', program.partnerId]])
    expect(await program.verify()).toEqual([])
  })

  test('without a code credits no one', async () => {
    const program = await given(PADDLE)
    const id = 'dsc_01gv5kpg05xp104ek2fmgjwttg'
    const paid = await payment(program, id)
    await program.send(...paid, discountEvent(paid[0] as Delivery, { id, code: null }))
    expect(await program.sales()).toEqual([])
  })
})

describe('a discount of Polar', () => {
  test.each([
    ['with a code of a partner is credited to its owner', 'sam20', true],
    ['without a code credits no one', null, false],
  ])('%s', async (_, code, isCredited) => {
    const program = await given(POLAR)
    const { deliveries } = await program.checkout()
    const paid = deliveries.map((delivery) =>
      withContent(delivery, ({ data }) => {
        data.metadata = {}
        if (data.subscription) data.subscription.metadata = {}
        data.discount = { id: 'b2b9d1f6-5b0a-4f0e-9d39-111111111111', name: 'Sam', code, type: 'percentage' }
      }),
    )
    expect(contentOf(paid[0] as Delivery).data).toBeDefined()
    await program.send(...paid)
    expect(await program.sold()).toEqual(isCredited ? [['code', program.partnerId]] : [])
  })
})
