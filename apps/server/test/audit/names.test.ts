import { expect, test } from 'bun:test'
import { actionWords, auditEntry, commissionRow } from '@tributary/contract'
import { nameOf } from '../explain/given-explained.ts'
import { givenAdjusted } from '../money/given-adjustments.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

test('the audit log, events and reversed commissions say who and why', async () => {
  const program = await givenAdjusted(service)
  await nameOf(service, program.link, 'Maya')
  await nameOf(service, program.ben, 'Ben')
  const refunded = await program.soldByPartner()
  const sold = await program.soldByPartner()
  const { partnerId } = program.ben
  await program.adjust({ type: 'move', saleId: sold.sale_id, partnerId })
  await program.refund({ invoice_id: refunded.invoice_id, amount: 1_000 })
  const { body: group } = await program.owner.call('POST', `${program.api}/groups`, { name: 'Gold' })
  const get = async (path: string) => (await program.owner.call('GET', path)).body.data

  const [created, moved] = await get(`${program.api}/audit`)
  expect(auditEntry.parse(created)).toMatchObject({ subject: `group ${group.data.id}`, subjectName: 'Gold' })
  const partnerNames = { [partnerId]: 'Ben', [program.link.partnerId]: 'Maya' }
  expect(auditEntry.parse(moved)).toMatchObject({ subjectName: sold.invoice_id, partnerNames })
  const events: { eventType: string; details: object }[] = await get(
    `/api/tracking/events/${program.id}?eventType=sale`,
  )
  expect(events.map(({ details }) => details)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ invoiceId: sold.invoice_id, assignedTo: 'Ben' }),
      expect.not.objectContaining({ assignedTo: expect.anything() }),
    ]),
  )
  const rows = await get(`${program.api}/commissions?state=reversed`)
  expect(rows.map((row: unknown) => commissionRow.parse(row).reversalReason)).toEqual(
    expect.arrayContaining(['refund_reversed_all', null]),
  )
})

test('a change of a partner’s status is named after it, and found by that name', async () => {
  const { owner, api, link } = await givenAdjusted(service)
  const change = (status: string) => owner.call('PATCH', `${api}/partners/${link.partnerId}`, { status })
  await change('suspended')
  await change('approved')
  const find = async (query: string) => (await owner.call('GET', `${api}/audit?${query}`)).body.data
  const wordsOf = (entries: unknown[]) => entries.map((entry) => actionWords(auditEntry.parse(entry)))
  expect(wordsOf(await find('search=partner%20suspended'))).toEqual(['partner suspended'])
  expect(wordsOf(await find('search=reinstated'))).toEqual(['partner reinstated'])
  const sorted = wordsOf(await find('sort=action'))
  expect(sorted).toEqual(sorted.toSorted())
})
