import { expect, test } from 'bun:test'
import { createPaddle } from '@tributary/example-processor/fakes'
import { redactEvent } from '../../../src/processor/personal-data/redact.ts'
import { processorOf } from '../../../src/processor/processors.ts'
import { readEvent, translate } from '../../../src/processor/translate-event.ts'
import { contentOf } from './given-paddle.ts'

const paddle = processorOf({ processor: 'paddle' })
const metadata = { program_id: '7', service_customer_key: '490000', service_click_id: 'click_1' }
const person = { programId: 7, customerKey: metadata.service_customer_key, token: 'erased' }

const CUSTOMER = {
  event_id: 'evt_customer',
  event_type: 'customer.created',
  occurred_at: '2026-11-19T12:00:00.000000Z',
  data: { id: 'ctm_01gnymqsj1etmestb4yhemdavm', name: 'Ann Customer', email: 'ann@example.org' },
}
const BUSINESS = {
  ...CUSTOMER,
  event_type: 'business.created',
  data: {
    id: 'biz_01gnymqsj1etmestb4yhemdavm',
    name: 'Ann Customer Ltd',
    company_number: '4242',
    contacts: [{ name: 'Ann Customer', email: 'ann@example.org' }],
  },
}

/** The customer key is also the amount of the payment. */
const givenLife = () => {
  const fake = createPaddle({ secret: 'secret' })
  const purchase = { mode: 'subscription', priceCents: 490_000, metadata, email: 'ann@example.org' } as const
  return [
    ...fake.checkout('first', purchase),
    ...fake.refund('first'),
    ...fake.dispute('first', 'won'),
    ...fake.renew('first', 'second'),
    ...fake.end('first'),
  ].map(contentOf)
}

const receivedAt = new Date(Date.now() + 86_400_000)
const meaningOf = (content: unknown) => {
  const event = readEvent(paddle, { text: JSON.stringify(content), receivedAt, eventId: null })
  const translation = event && translate(event, 7)
  const { references, says, customerId, at } = translation && 'report' in translation ? translation.report : {}
  return { id: event?.id, references, says, customerId, at }
}

test('a customer’s erasure leaves nothing personal in an event and does not change what it means', () => {
  const life = givenLife()
  expect(life.map(meaningOf).filter(({ says }) => says).length).toBeGreaterThan(4)
  for (const content of [...life, CUSTOMER, BUSINESS]) {
    const redacted = redactEvent(content, person, paddle.personalData)
    const text = JSON.stringify(redacted)
    for (const secret of ['ann@example.org', 'Ann Customer', '"4242"', '"service_customer_key":"490000"'])
      expect({ type: content.event_type, secret, isLeft: text.includes(secret) }).toMatchObject({ isLeft: false })
    expect(meaningOf(redacted)).toEqual(meaningOf(content))
  }
})

test('events of one customer share an ID of the customer or a purchase, and products share none', () => {
  const ids = givenLife().map((event) => paddle.personalData.relatedIds(event))
  const ofCustomer = ids[0]?.find((id) => id.startsWith('ctm_'))
  for (const own of ids) expect(own).toContain(ofCustomer as string)
  expect(ids.flat().filter((id) => /^(pro|pri|txnitm)_/.test(id))).toEqual([])
})
