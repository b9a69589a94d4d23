import { expect } from 'bun:test'
import type { TestService } from '../../../server/test/support/service.ts'
import { givenProcessorEvents, givenScenario } from './scenario.ts'
import type { Names } from './screens.ts'

/** A program in which everything has happened once, and the names the screens need. */
export const givenNamedScenario = async (service: TestService) => {
  const scenario = await givenScenario(service)
  const call = async (method: string, path: string, body?: object) => {
    const response = await scenario.owner.call(method, path, body)
    expect(response.status).toBeLessThan(300)
    return response.body.data
  }
  await givenProcessorEvents(scenario)
  // The scenario's commissions are still in their hold period.
  await call('PUT', `${scenario.api}/reward`, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  expect((await scenario.sale({ customer_key: 'user_1', invoice_id: 'INV-3', amount: 4_900 })).status).toBe(200)
  const payout = await call('POST', `${scenario.api}/payouts`)
  const invitation = await call('POST', `/api/workspaces/${scenario.workspaceId}/invitations`, {
    email: 'new@example.com',
    role: 'member',
  })
  // Invitations expire by the real clock, and the test clock is ahead by more than their week.
  await service.pool.query("UPDATE invitations SET expires_at = expires_at + interval '30 days'")
  const [workspace] = (await scenario.owner.call('GET', '/api/workspaces')).body.data
  const names: Names = {
    which: 'an',
    programId: scenario.id,
    customerId: scenario.clickId,
    customerKey: 'user_1',
    saleId: scenario.saleId,
    invoiceId: 'INV-1',
    leadId: scenario.leadId,
    partnerId: scenario.link.partnerId,
    partnerName: 'Maya Lindqvist',
    payoutId: payout.id,
    lineId: payout.lines[0].id,
    invitationId: invitation.id,
    workspaceName: workspace.name,
  }
  return { scenario, names }
}
