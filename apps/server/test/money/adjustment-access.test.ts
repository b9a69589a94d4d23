import { expect, test } from 'bun:test'
import { givenUser } from '../support/given.ts'
import { givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenAdjusted } from './given-adjustments.ts'

const service = await givenService()

test('a member who may not list customers sees no invoice IDs in adjustments, as in commissions', async () => {
  const program = await givenAdjusted(service)
  const { sale_id, invoice_id } = await program.soldByNoOne()
  await program.adjust({ type: 'credit', saleId: sale_id, partnerId: program.ben.partnerId })
  const billing = await givenUser(service)
  await givenRole(service, program.workspaceId, billing, 'billing')
  const commissions = await billing.call('GET', `${program.api}/commissions`)
  expect(commissions.status).toBe(200)
  expect(JSON.stringify(commissions.body)).not.toContain(invoice_id)
  const adjustments = await billing.call('GET', program.adjustments)
  expect(adjustments.status).toBe(200)
  expect(JSON.stringify(adjustments.body)).not.toContain(invoice_id)
})
