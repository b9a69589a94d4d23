import { describe, expect, test } from 'bun:test'
import { expectRefusal, givenClick, givenUser } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { givenExplained, TEN_PERCENT } from './given-explained.ts'

const service = await givenService()

describe('why not', () => {
  test('requires exactly one of the three IDs', async () => {
    const program = await givenExplained(service)
    for (const query of ['', '?invoice_id=', '?invoice_id=a&customer_key=b', '?invoice_id=a&audience=everybody'])
      expectRefusal(await program.owner.call('GET', `${program.api}/explain${query}`), 400, 'invalid_request')
  })

  test('of a customer counts the waiting sales, and names all of them once they are credited', async () => {
    const program = await givenExplained(service)
    const click_id = await givenClick(service, program.link)
    await program.sold({ customer_key: 'late', invoice_id: 'one' })
    await program.sold({ customer_key: 'late', invoice_id: 'two' })
    const before = await program.why('customer_key', 'late')
    expect(before).toMatchObject({ outcome: 'waiting', reason: 'customer_unknown' })
    expect(before.sentences[0]).toContain('all 2 sales are waiting')
    await program.lead({ customer_key: 'late', click_id })
    const after = await program.why('customer_key', 'late')
    expect(after).toMatchObject({ outcome: 'settled', reason: 'lead_settled' })
    for (const invoice of ['one', 'two']) expect(after.sentences.join(' ')).toContain(`Sale ${invoice} of $10.00`)
  })

  test('of an expired click says that it was recorded', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { cookieWindowDays: 5 })
    const click_id = await givenClick(service, program.link)
    service.clock.advance(6 * DAY_MS)
    expectRefusal(await program.lead({ click_id, customer_key: 'user-1' }), 400, 'click_expired')
    const { outcome, reason, sentences } = await program.why('click_id', click_id)
    expect({ outcome, reason }).toEqual({ outcome: 'uncredited', reason: 'click_expired_without_lead' })
    expect(sentences[0]).toContain(`the click on Maya’s link ${program.link.aff} on`)
  })
})

describe('access', () => {
  test('programs cannot see each other', async () => {
    const [one, two] = [await givenExplained(service), await givenExplained(service)]
    const customer_key = await one.customer()
    const sale = await one.sold({ customer_key, invoice_id: 'theirs' })
    const lead = (await one.lead({ customer_key })).body.lead_id
    const click_id = await givenClick(service, one.link)
    for (const path of [`/sales/${sale}/explain`, `/leads/${lead}/explain`])
      expectRefusal(await two.owner.call('GET', two.api + path), 404, 'not_found')
    expect((await two.why('invoice_id', 'theirs')).reason).toBe('invoice_never_received')
    expect((await two.why('customer_key', customer_key)).reason).toBe('customer_never_seen')
    expect((await two.why('click_id', click_id)).reason).toBe('click_never_seen')
    expectRefusal(await two.owner.call('GET', `${one.api}/sales/${sale}/explain`), 403, 'forbidden')
  })

  test('viewers have it, billing does not', async () => {
    const program = await givenExplained(service)
    const [viewer, billing] = [await givenUser(service), await givenUser(service)]
    await givenRole(service, program.workspaceId, viewer, 'viewer')
    await givenRole(service, program.workspaceId, billing, 'billing')
    expect((await viewer.call('GET', `${program.api}/explain?invoice_id=x`)).status).toBe(200)
    expectRefusal(await billing.call('GET', `${program.api}/explain?invoice_id=x`), 403, 'forbidden')
  })
})
