import { expect, test } from 'bun:test'
import { rollUpAll } from '../src/events/roll-up/catch-up.ts'
import { verifyPayments } from '../src/tracking/payments/verify-payments.ts'
import { canonicalDump } from './processor/canonical-dump.ts'
import { givenProcessor, post, signatureOf } from './processor/given-processor.ts'
import { event, type Generation, SIZED_GENERATIONS, stripeId, stripePayment } from './processor/stripe-events.ts'
import { foundIn } from './support/every-column.ts'
import { browserLead, givenClick, unique } from './support/given.ts'
import { startTestService } from './support/service.ts'
import { verifyProgram } from './support/verify-program.ts'

const PLATFORM_SECRET = 'whsec_platform'
const service = await startTestService({
  stripe: {
    secretKey: 'sk_test_platform',
    clientId: 'ca_platform',
    webhookSecret: PLATFORM_SECRET,
    apiKey: null,
    apiBase: 'http://127.0.0.1:9',
    connectBase: 'http://127.0.0.1:9',
  },
})
const REWARD = {
  lead: { amountCents: 500 },
  sale: { percentBps: 1_000, duration: 'lifetime' },
  holdDays: 0,
  minimumPayoutCents: 0,
}

const givenShop = async () => givenProcessor(service, REWARD, { leadAuth: 'browser_allowed' })
type Shop = Awaited<ReturnType<typeof givenShop>>

/** A person whose data appears nowhere else. The key contains characters that JSON can escape in several ways. */
const givenPerson = () => {
  const word = unique('zoë').replaceAll('-', '')
  return {
    customerKey: `key/${word}&co`,
    email: `mail${word}@example.com`,
    name: `Name ${word}`,
    phone: `+1555${word}`,
    street: `Street ${word}`,
    free: `Free ${word}`,
    customer: stripeId('cus'),
  }
}
type Person = ReturnType<typeof givenPerson>
/** A masked address keeps its first letter and its host, which others share; its hash is checked separately. */
const wordsOf = ({ customerKey, email, name, phone, street, free }: Person) => [
  customerKey,
  email,
  name,
  phone,
  street,
  free,
]

const addressOf = ({ street }: Person) => ({ line1: street, line2: null, city: 'Town', country: 'DE' })
const personal = (person: Person) => {
  const { email, name, phone } = person
  const address = addressOf(person)
  return {
    customer: person.customer,
    client_reference_id: person.customerKey,
    customer_email: email,
    customer_name: name,
    customer_phone: phone,
    customer_address: address,
    customer_shipping: { address, name, phone },
    customer_details: { address, email, name, phone, tax_ids: [] },
    billing_details: { address, email, name, phone },
    shipping: { address, name, phone, carrier: null },
    shipping_details: { address, name },
    collected_information: { shipping_details: { address, name }, individual_name: name },
    custom_fields: [{ key: 'nick', type: 'text', text: { value: person.free } }],
    receipt_email: email,
    description: `Order of ${email}, ${person.customerKey}`,
  }
}

const clickOf = (shop: Shop, { free }: Person) =>
  givenClick(service, shop.link, {
    page_url: `https://shop.example/?${free}`,
    page_title: free,
    referrer_url: `https://mail.example/?${free}`,
    session_id: free,
  })

const metadataOf = (shop: Shop, { customerKey, email, free }: Person, clickId: string) => ({
  program_id: String(shop.id),
  service_customer_key: customerKey,
  service_click_id: clickId,
  user_email: email,
  note: free,
})

const deliverAsPlatform = async (body: object) => {
  const raw = JSON.stringify(body)
  const signature = await signatureOf(raw, { secret: PLATFORM_SECRET, at: service.clock.now() })
  expect(await post(service, '/api/v1/processor/webhook', raw, signature)).toMatchObject({ status: 200 })
}

/** Sends data about a customer through every channel. Returns the events sent. */
const live = async (shop: Shop, person: Person, generation: Generation) => {
  const { customerKey, email, free } = person
  const clickId = await clickOf(shop, person)
  const additional_data = { test_mode: true, program_id: shop.id }
  await browserLead(service, { click_id: clickId, customer_key: customerKey, email })
  await shop.lead({ click_id: clickId, customer_key: customerKey, email })
  await shop.sale({ customer_key: customerKey, amount: 5_000, invoice_id: unique('order'), metadata: { free, email } })
  await shop.sale({ customer_key: customerKey, additional_data })
  await shop.lead({ click_id: clickId, customer_key: customerKey, email, additional_data })
  service.clock.advance(1_000)

  const created = Math.floor(service.clock.now().getTime() / 1_000)
  const metadata = metadataOf(shop, person, clickId)
  const options = { generation, metadata, created }
  const [bought, subscribed, tested, unassigned] = [1, 2, 3, 4].map(() => stripePayment(options)) as [
    TestPayment,
    TestPayment,
    TestPayment,
    TestPayment,
  ]
  const fields = personal(person)
  const reported = stripePayment({ generation, created })
  await shop.sale({ customer_key: customerKey, amount: 1_000, invoice_id: reported.ids.intent })
  const events = [
    bought.completed(fields),
    bought.intentSucceeded(fields),
    bought.chargeSucceeded({ ...fields, metadata }),
    bought.refund('refund.created', stripeId('re'), { amount: 119, metadata, status: 'succeeded' }),
    bought.dispute('charge.dispute.created', 'needs_response'),
    subscribed.subscribed(fields),
    subscribed.invoicePaid({ ...fields, metadata }),
    subscribed.subscriptionDeleted(),
    // The merchant reported this sale; the processor knows the payer but not the customer key.
    reported.intentSucceeded({ ...fields, metadata: {} }),
    { ...tested.completed(fields), livemode: false },
    event(generation, 'customer.updated', { id: person.customer, object: 'customer', name: person.name, email }),
  ]
  for (const dispute of events.filter(({ type }) => type.startsWith('charge.dispute')))
    Object.assign(dispute.data.object, { evidence: { customer_name: person.name, customer_email_address: email } })
  await shop.send(...events)
  await rollUpAll(service.db, service.clock.now)
  await deliverAsPlatform({ ...unassigned.completed(fields), account: unique('acct') })
  return { clickId, events, bought, fields }
}
type TestPayment = ReturnType<typeof stripePayment>

const erase = (shop: Shop, body: object) => shop.owner.call('POST', `${shop.api}/customers/erase`, body)
const differencesOf = async ({ id }: Shop) =>
  (await verifyProgram(service.db, { programId: id, sealedBefore: null, furtherChecks: [verifyPayments] })).differences
/** Names may change; money, states and counts may not. */
const moneyNow = async (of: RegExp) => (await canonicalDump(service.databaseUrl)).replaceAll(of, '"customer": *')
const replay = async (shop: Shop, dryRun: boolean) =>
  (await shop.owner.call('POST', `${shop.api}/processor/replay`, { since: '2020-01-01', dryRun })).body.data

for (const generation of SIZED_GENERATIONS)
  test(`${generation}: after erasure no column of any table contains personal data, whatever was sent`, async () => {
    const [shop, person] = [await givenShop(), givenPerson()]
    const { events } = await live(shop, person, generation)
    for (const word of wordsOf(person)) expect(await foundIn(service.pool, word)).not.toEqual([])
    const before = await moneyNow(/"customer":"[^"]*"/g)

    const { status, body } = await erase(shop, { customerKey: person.customerKey })
    expect({ status, ...body.data }).toMatchObject({ status: 200, customers: 1, sales: 4, testEvents: 3 })
    expect(body.data.paymentReports).toBeGreaterThan(2)
    expect(body.data.processorEvents).toBe(events.length + 1)

    expect(await foundIn(service.pool, ...wordsOf(person))).toEqual([])
    expect(await moneyNow(/"customer":"[^"]*"/g)).toEqual(before)
    expect(await differencesOf(shop)).toEqual([])
  })

test('replaying redacted events changes nothing, and their original form is recognized when sent again', async () => {
  const [shop, person] = [await givenShop(), givenPerson()]
  const { bought } = await live(shop, person, '2026')
  await erase(shop, { customerKey: person.customerKey })
  const before = await canonicalDump(service.databaseUrl)
  const reports = await reportsOf(shop)
  for (const dryRun of [true, false]) {
    const answer = await replay(shop, dryRun)
    expect(answer.changes).toEqual([])
    expect(answer.after).toEqual(answer.before)
  }
  expect(await canonicalDump(service.databaseUrl)).toBe(before)
  expect(await reportsOf(shop)).toEqual(reports)
  await shop.send(bought.completed(personal(person)))
  expect(await reportsOf(shop)).toEqual(reports)
})

const reportsOf = ({ id }: Shop) =>
  service.db
    .selectFrom('paymentReports')
    .select(['id', 'report', 'fate'])
    .where('programId', '=', id)
    .orderBy('id')
    .execute()

test('later reports of their payments are redacted on arrival and create no new customer', async () => {
  const [shop, person] = [await givenShop(), givenPerson()]
  const { bought, fields, clickId } = await live(shop, person, '2026')
  await erase(shop, { clickId })
  const earned = await shop.commissions()
  // A refund has no metadata, so nothing identifies the key in it.
  const { client_reference_id: _, description: __, ...ofRefund } = fields
  await shop.send(
    bought.chargeRefunded(300),
    bought.refund('refund.created', stripeId('re'), { amount: 181, status: 'succeeded', ...ofRefund }),
    bought.completed({ ...fields, amount_total: 1_200 }),
  )
  expect(await foundIn(service.pool, ...wordsOf(person))).toEqual([])
  expect(await shop.commissions()).toHaveLength(earned.length)
  expect(await differencesOf(shop)).toEqual([])
  expect((await replay(shop, true)).changes).toEqual([])
})

test('the event list and detail mark a redacted event, and keep the rest unchanged', async () => {
  const [shop, person] = [await givenShop(), givenPerson()]
  const { events } = await live(shop, person, '2024')
  const untouched = (await shop.payment()).completed()
  await shop.send(untouched)
  await erase(shop, { customerKey: person.customerKey })
  const listed = await shop.events('?pageSize=50')
  const redacted = listed.filter(({ redactedAt }) => redactedAt !== null).map(({ id }) => id)
  expect(redacted.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
  expect(await shop.event(untouched.id)).toMatchObject({ redactedAt: null, raw: untouched })

  const [completed] = events
  const { raw, redactedAt } = (await shop.event(completed?.id ?? '')) as { raw: typeof completed; redactedAt: string }
  expect(Date.parse(redactedAt)).toBeGreaterThan(0)
  const { metadata, ...kept } = raw?.data.object ?? {}
  expect(metadata).toMatchObject({ program_id: String(shop.id), note: null, user_email: null })
  expect(kept).toMatchObject({
    customer_details: null,
    customer_email: null,
    amount_total: 1190,
    payment_status: 'paid',
  })
  expect(Object.keys(kept).toSorted()).toEqual(
    Object.keys(completed?.data.object ?? {})
      .filter((name) => name !== 'metadata')
      .toSorted(),
  )
})

test('events of another customer, and of the same key in another program of the workspace, are unchanged', async () => {
  const [shop, other] = [await givenShop(), await givenShop()]
  await service.db.updateTable('programs').set({ workspaceId: shop.workspaceId }).where('id', '=', other.id).execute()
  const [person, namesake] = [givenPerson(), givenPerson()]
  await live(shop, person, '2026')
  await live(other, { ...namesake, customerKey: person.customerKey }, '2026')
  await erase(shop, { customerKey: person.customerKey })
  for (const word of wordsOf(namesake).slice(1)) expect(await foundIn(service.pool, word)).not.toEqual([])
  expect(await foundIn(service.pool, ...wordsOf(person).slice(1))).toEqual([])
  for (const { customerKey } of await other.sales()) expect(customerKey).toBe(person.customerKey)
  expect((await replay(shop, true)).changes).toEqual([])
})

test('a customer who is also a partner keeps the partner account: only customer data is erased', async () => {
  const [shop, person] = [await givenShop(), givenPerson()]
  await service.db.updateTable('programs').set({ applicationsOpen: true }).where('id', '=', shop.id).execute()
  const email = `${unique('partner')}@example.com`
  const account = { name: person.name, email, password: 'a long password' }
  expect((await service.call('POST', `/api/public/programs/${shop.id}/apply`, account)).status).toBe(200)
  await live(shop, { ...person, email }, '2026')
  await erase(shop, { customerKey: person.customerKey })
  // The audit entry and the event of their application belong to the partner.
  expect(await foundIn(service.pool, email)).toEqual([
    'audit_entries.after',
    'outbox_events.data',
    'partners.email',
    'users.email',
  ])
})

test('the service may only replace a key in a report with a token, and a redaction always leaves its mark', async () => {
  const [shop, person] = [await givenShop(), givenPerson()]
  await live(shop, person, '2026')
  const asApp = async (statement: string) => {
    const client = await service.pool.connect()
    try {
      await client.query('BEGIN; SET LOCAL ROLE tributary_app')
      return await client.query(statement).then(
        () => 'done',
        (error: Error) => error.message,
      )
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
  expect(await asApp("UPDATE payment_reports SET report = '{}'")).toContain('permission denied')
  expect(await asApp("UPDATE processor_events SET payload = ''")).toContain('permission denied')
  expect(await asApp("UPDATE processor_unassigned_events SET payload = ''")).toContain('permission denied')
  expect(await asApp("SELECT forget_payer(program_id, id, 'customer-1') FROM payment_reports")).toContain('token')
})
