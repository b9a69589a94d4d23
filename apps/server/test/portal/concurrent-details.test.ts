import { expect, test } from 'bun:test'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenPortal, REWARD } from './given-portal.ts'

const service = await givenService()

const DETAILS = {
  'payout-details': { method: 'paypal', account: 'maya@example.com', holder: 'Maya', note: null },
  'legal-details': { name: 'Maya', company: null, address: '2 Lane', taxId: null },
}
const ACTIONS = { 'payout-details': 'payout details changed', 'legal-details': 'partner legal details changed' }

for (const [name, field] of [
  ['payout-details', 'note'],
  ['legal-details', 'taxId'],
] as const)
  test(`the audit log tells every change of ${name}, also of concurrent ones`, async () => {
    const program = await givenPayingProgram(service, REWARD)
    const partner = await givenPortal(service).givenPartner(program)
    const set = (value: string | null) =>
      partner.call('PUT', `/api/portal/programs/${program.id}/${name}`, { ...DETAILS[name], [field]: value })
    await set(null)
    const values = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const { status } of await Promise.all(values.map(set))) expect(status).toBe(200)
    const { data } = (await program.owner.call('GET', `${program.api}/audit`)).body
    const changes = data.filter(({ action }: { action: string }) => action === ACTIONS[name]).toReversed()
    expect(changes).toHaveLength(7)
    for (const [index, { before }] of changes.entries())
      if (index > 0) expect(before[field]).toBe(changes[index - 1].after[field] ?? null)
  })
