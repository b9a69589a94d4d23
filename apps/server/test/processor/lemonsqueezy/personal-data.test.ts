import { expect, test } from 'bun:test'
import { createLemonSqueezy } from '@tributary/example-processor/fakes'
import { redactEvent } from '../../../src/processor/personal-data/redact.ts'
import { processorOf } from '../../../src/processor/processors.ts'
import { readEvent, translate } from '../../../src/processor/translate-event.ts'
import { contentOf } from './given-lemonsqueezy.ts'

const lemonsqueezy = processorOf({ processor: 'lemonsqueezy' })
const { personalData } = lemonsqueezy
const metadata = { program_id: '7', service_customer_key: 'user_ann_4711', service_click_id: 'click_1' }
const person = { programId: 7, customerKey: metadata.service_customer_key, token: 'erased' }

const givenLife = () => {
  const fake = createLemonSqueezy({ secret: 'secret' })
  const email = 'ann@example.org'
  return [
    ...fake.checkout('first', { mode: 'subscription', metadata, email, customerName: 'Ann Private', customer: 'ann' }),
    ...fake.refund('first', { cents: 100 }),
    ...fake.renew('first', 'second'),
    ...fake.end('first'),
  ]
}

const receivedAt = new Date(Date.now() + 86_400_000)
const meaningOf = (content: unknown) => {
  const event = readEvent(lemonsqueezy, { text: JSON.stringify(content), receivedAt, eventId: null })
  const translation = event && translate(event, 7)
  const { references, says } = translation && 'report' in translation ? translation.report : {}
  return { id: event?.id, accountId: event?.accountId, references, says }
}

test('a customer’s erasure leaves nothing personal in an event and does not change what it means', () => {
  for (const content of givenLife().map(contentOf)) {
    const redacted = redactEvent(content, person, personalData)
    const text = JSON.stringify(redacted)
    for (const secret of ['ann@example.org', 'Ann Private', 'user_ann_4711', 'signature=', '4242'])
      expect({ type: content.meta.event_name, secret, isLeft: text.includes(secret) }).toMatchObject({ isLeft: false })
    expect(meaningOf(redacted)).toEqual(meaningOf(content))
  }
})

test('events of one customer are found by the customer’s number, and only as that', () => {
  const ids = givenLife().map((event) => personalData.relatedIds(contentOf(event)))
  expect(new Set(ids.flat()).size).toBe(1)
  for (const [index, event] of givenLife().entries())
    expect(Buffer.from(event.body).toString('utf8')).toContain(ids[index]?.[0] as string)
  expect(personalData.relatedIds({ data: { id: '5', attributes: { order_id: 5, store_id: 5 } } })).toEqual([])
})
