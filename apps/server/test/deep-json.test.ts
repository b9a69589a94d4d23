import { expect, test } from 'bun:test'
import { expectRefusal, givenClick, givenProgram, unique } from './support/given.ts'
import { clickEventsOf, salesOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const program = await givenProgram(service)
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
/** Two of these still fit into a body of 64 KiB. */
const DEEP = nested(15_500)

test.each([
  ['in its field', `"additional_data":${nested(30_000)}`],
  ['under both names of the field', `"additional_data":${DEEP},"additionalData":${DEEP}`],
  ['under one name, next to a plain value', `"additional_data":{"test_mode":false},"additionalData":${DEEP}`],
  ['as objects', `"additional_data":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)},"additionalData":{}`],
  ['in a field that a click does not have', `"metadata":${nested(30_000)}`],
])('additional_data nested thousands of levels deep never makes a click fail: %s', async (_, field) => {
  const before = (await clickEventsOf(service, program.link.id)).length
  const body = `{"affiliate_url":"${program.link.url}",${field}}`
  const { status } = await service.call('POST', '/api/v1/track/click', body)
  expect(status).toBe(200)
  expect(await clickEventsOf(service, program.link.id)).toHaveLength(before + 1)
})

test('a keyed call with the same depth under two names answers 4xx, not 500', async () => {
  const click_id = await givenClick(service, program.link)
  const body = `{"customer_key":"${unique('u')}","click_id":"${click_id}","additional_data":${DEEP},"additionalData":${DEEP}}`
  for (const answer of [await program.lead(body), await program.sale(body)]) expect(answer.status).toBe(400)
})

test.each([
  ['a lead', '/api/v1/track/lead', 'additional_data', 65],
  ['a sale', '/api/v1/track/sale', 'metadata', 30_000],
  ['a refund', '/api/v1/track/refund', 'metadata', 30_000],
])('with an Idempotency-Key, %s nested too deep is rejected with its field name', async (_, path, field, depth) => {
  const call = (deep: number) =>
    service.call(
      'POST',
      path,
      `{"customer_key":"${unique('u')}","amount":5,"invoice_id":"${unique('in')}","${field}":{"a":${nested(deep)}}}`,
      { authorization: `Bearer ${program.key}`, 'idempotency-key': unique('key') },
    )
  const refused = await call(depth)
  expectRefusal(refused, 400, 'invalid_request')
  expect(refused.body.error).toMatchObject({ field, message: `${field} must have at most 64 levels of nesting.` })
  // One level less is accepted or rejected by its content alone.
  expect((await call(63)).body.error?.field).not.toBe(field)
})

test.each([
  ['arrays', nested(4_000)],
  ['objects', `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`],
])('metadata nested too deep is rejected with its field name, and the invoice_id stays free: %s', async (_, deep) => {
  const invoice_id = unique('in')
  const sale = (metadata: string) =>
    program.sale(`{"customer_key":"u","amount":5,"invoice_id":"${invoice_id}","metadata":{"a":${metadata}}}`)
  const refused = await sale(deep)
  expectRefusal(refused, 400, 'invalid_request')
  expect(refused.body.error.field).toBe('metadata')
  expect(refused.body.error.message).toContain('levels')
  expect((await sale(nested(20))).status).toBe(200)
  expect((await salesOf(service, program.id)).filter((row) => row.invoiceId === invoice_id)).toHaveLength(1)
})
