import { expect } from 'bun:test'
import type { TestService } from '../../../server/test/support/service.ts'
import type { Names } from './screens.ts'
import { givenProcessorEvents, givenStory } from './story.ts'

/** A program in which everything has happened once, and the names of all of it. */
export const givenNamedStory = async (service: TestService) => {
  const story = await givenStory(service)
  const call = async (method: string, path: string, body?: object) => {
    const answer = await story.owner.call(method, path, body)
    expect(answer.status).toBeLessThan(300)
    return answer.body.data
  }
  await givenProcessorEvents(story)
  // What the story has earned is held for a month.
  await call('PUT', `${story.api}/reward`, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  expect((await story.sale({ customer_key: 'user_1', invoice_id: 'INV-3', amount: 4_900 })).status).toBe(200)
  const payout = await call('POST', `${story.api}/payouts`)
  const invitation = await call('POST', `/api/workspaces/${story.workspaceId}/invitations`, {
    email: 'new@example.com',
    role: 'member',
  })
  // It lasts a week by the library's clock, and the story took longer than that by ours.
  await service.pool.query("UPDATE invitations SET expires_at = expires_at + interval '30 days'")
  const [workspace] = (await story.owner.call('GET', '/api/workspaces')).body.data
  const names: Names = {
    which: 'an',
    programId: story.id,
    customerId: story.clickId,
    customerKey: 'user_1',
    saleId: story.saleId,
    invoiceId: 'INV-1',
    leadId: story.leadId,
    partnerId: story.link.partnerId,
    partnerName: 'Maya Lindqvist',
    payoutId: payout.id,
    invitationId: invitation.id,
    workspaceName: workspace.name,
  }
  return { story, names }
}
