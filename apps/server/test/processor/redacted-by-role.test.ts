import { describe, expect, test } from 'bun:test'
import { ROLES } from '@tributary/contract'
import { hidePersonalData } from '../../src/processor/personal-data/hide-personal-data.ts'
import { givenUser } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor } from './given-processor.ts'
import { event, GENERATIONS, stripePayment } from './stripe-events.ts'

const service = await givenService()

const ADDRESS = { line1: '12 Analytical Row', line2: null, city: 'Marylebone', postal_code: 'W1U 8ED', country: 'GB' }
const PERSON = { name: 'Ada Lovelace', email: 'ada@customers.example', phone: '+44 20 7946 0958', address: ADDRESS }
const SECRETS = [
  ...['Ada Lovelace', 'ada@customers.example', 'ada%40customers.example', '7946 0958'],
  ...['Analytical Row', 'Marylebone', 'W1U 8ED', '203.0.113.9', '4242', 'GB123456789'],
]

const PERSONAL = {
  customer_details: { ...PERSON, tax_ids: [{ type: 'gb_vat', value: 'GB123456789' }] },
  customer_email: PERSON.email,
  customer_name: PERSON.name,
  receipt_email: PERSON.email,
  billing_details: PERSON,
  shipping: { name: PERSON.name, address: ADDRESS, tracking_number: 'TRACK 4242' },
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
  mandate: { online: { ip_address: '203.0.113.9', user_agent: 'Mozilla/5.0 Ada Lovelace' } },
  description: 'Subscription of Ada Lovelace <ada@customers.example>',
  success_url: 'https://shop.example/?email=ada%40customers.example',
  deep: [[{ nested: { owner: { name: PERSON.name, ip: '203.0.113.9' } } }]],
}

/** A program whose inbox has one event full of personal data. */
const givenPersonalEvent = async () => {
  const program = await givenProcessor(service)
  const payment = await program.payment()
  const completed = payment.completed()
  Object.assign(completed.data.object, PERSONAL, {
    metadata: { ...payment.metadata, buyer: PERSON.name, order_id: 'order-77', contact: PERSON.email },
  })
  await program.send(completed)
  const path = `${program.api}/processor/events/${completed.id}`
  const readAs = async (role: string) => {
    const user = await givenUser(service)
    await givenRole(service, program.workspaceId, user, role)
    return user.call('GET', path)
  }
  return { program, payment, completed, readAs }
}

describe('a raw processor event', () => {
  test('is shown as received to member:manage only', async () => {
    const { completed, readAs } = await givenPersonalEvent()
    for (const role of ROLES) {
      const { status, body } = await readAs(role)
      if (role === 'owner' || role === 'admin') {
        expect(body.data.raw).toEqual(completed)
        expect(body.data.isRedacted).toBe(false)
      } else if (role === 'billing') expect(status).toBe(403)
      else {
        expect(status).toBe(200)
        expect(body.data.isRedacted).toBe(true)
        for (const secret of SECRETS) expect(JSON.stringify(body)).not.toContain(secret)
      }
    }
  })

  test('keeps its structure, its ids and its amounts when it is redacted', async () => {
    const { payment, completed, readAs } = await givenPersonalEvent()
    const { raw } = (await readAs('viewer')).body.data
    expect(raw).toMatchObject({ id: completed.id, type: 'checkout.session.completed', created: completed.created })
    const { object } = raw.data
    expect(object).toMatchObject({
      id: payment.ids.session,
      payment_intent: payment.ids.intent,
      amount_total: 1190,
      currency: 'usd',
      payment_status: 'paid',
      customer_email: '[redacted]',
      customer_details: {
        name: '[redacted]',
        email: '[redacted]',
        phone: '[redacted]',
        address: { line1: '[redacted]', line2: null, city: '[redacted]' },
      },
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '[redacted]' } },
      metadata: { ...payment.metadata, '[redacted 1]': '[redacted]', '[redacted 3]': '[redacted]' },
      deep: [[{ nested: { owner: { name: '[redacted]', ip: '[redacted]' } } }]],
    })
    expect(Object.keys(object)).toEqual(Object.keys(completed.data.object))
  })

  test('shows personal data in no other response that a viewer can read', async () => {
    const { program, payment } = await givenPersonalEvent()
    const viewer = await givenUser(service)
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    const [sale] = await program.sales()
    for (const path of [
      `${program.api}/processor/events`,
      `${program.api}/sales/${sale?.id}`,
      `${program.api}/sales/${sale?.id}/explain`,
      `${program.api}/explain?invoice_id=${payment.ids.intent}`,
      `/api/tracking/events/${program.id}`,
      `/api/tracking/events/${program.id}/sale/${sale?.id}`,
    ]) {
      const { status, body } = await viewer.call('GET', path)
      expect({ path, status }).toEqual({ path, status: 200 })
      for (const secret of SECRETS) expect(JSON.stringify(body)).not.toContain(secret)
    }
    for (const file of ['events', 'sales', 'customers']) {
      const address = `${service.url}${program.api}/export/${file}.csv`
      const text = await (await fetch(address, { headers: { cookie: viewer.cookie } })).text()
      for (const secret of SECRETS) expect(text).not.toContain(secret)
    }
  })
})

describe('hiding personal data', () => {
  test.each(GENERATIONS)('keeps every identifier of a payment of %s', (generation) => {
    const payment = stripePayment({ generation })
    for (const each of [payment.completed(), payment.chargeSucceeded(), payment.invoicePaid()]) {
      const hidden = JSON.stringify(hidePersonalData(each))
      for (const id of Object.values(payment.ids)) expect(hidden.includes(id)).toBe(JSON.stringify(each).includes(id))
    }
  })

  test('covers values nested deeper than any processor nests', () => {
    let deep: unknown = { name: 'Ada Lovelace' }
    for (let level = 0; level < 20_000; level++) deep = [deep]
    const hidden = hidePersonalData(event('2026', 'price.created', { deep }))
    expect(JSON.stringify(hidden)).not.toContain('Ada Lovelace')
  })

  test('removes bank accounts and the like, and names in another case', () => {
    const hidden = JSON.stringify(
      hidePersonalData(
        event('2026', 'charge.succeeded', {
          name: 'Ada Lovelace',
          statement: 'ADA LOVELACE',
          description: 'for ada lovelace (monthly)',
          sepa_debit: { iban: 'DE89370400440532013000' },
          us_bank_account: { account_number: '000123456789', routing_number: '110000000' },
          upi: { vpa: 'ada@bank' },
          cashapp: { cashtag: '$adalove' },
        }),
      ),
    )
    const secrets = [
      'DE89370400440532013000',
      '000123456789',
      '110000000',
      'ada@bank',
      '$adalove',
      'LOVELACE',
      'lovelace',
    ]
    for (const secret of secrets) expect(hidden).not.toContain(secret)
  })

  test('removes the names of a customer and a person', () => {
    const hidden = hidePersonalData(
      event('2026', 'customer.created', { id: 'cus_1', object: 'customer', ...PERSON, balance: 0, individual: PERSON }),
    )
    for (const secret of SECRETS) expect(JSON.stringify(hidden)).not.toContain(secret)
    expect(hidden).toMatchObject({ data: { object: { id: 'cus_1', object: 'customer', balance: 0 } } })
  })
})
