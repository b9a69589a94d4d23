import { expect } from 'bun:test'
import { prepareDrafts } from '../../src/money/payouts/drafts.ts'
import { givenClick, givenProgram, givenUser, type User, unique } from './given.ts'
import type { TestService } from './service.ts'

/** A program with a signed-in owner, and functions that read its money. */
export const givenPayingProgram = async (
  service: TestService,
  /** Null: without terms. */
  reward: object | null,
  settings: Parameters<typeof givenProgram>[1] = {},
) => {
  const program = await givenProgram(service, settings)
  const owner = await givenUser(service)
  await givenRole(service, program.workspaceId, owner, 'owner')
  const api = `/api/programs/${program.id}`
  if (reward !== null) expect((await owner.call('PUT', `${api}/reward`, reward)).status).toBe(200)
  const get = async (path: string) => (await owner.call('GET', `${api}${path}`)).body.data
  return {
    ...program,
    owner,
    api,
    commissions: () => get('/commissions'),
    balance: async (partnerId = program.link.partnerId) =>
      (await get('/balances')).find((row: { partnerId: number }) => row.partnerId === partnerId),
    /** A customer bound to the program's partner. */
    customer: async () => {
      const customer_key = unique('customer')
      const { status } = await program.lead({ customer_key, click_id: await givenClick(service, program.link) })
      expect(status).toBe(200)
      return customer_key
    },
    refund: (body: object) =>
      service.call('POST', '/api/v1/track/refund', body, { authorization: `Bearer ${program.key}` }),
    pay: async () => (await owner.call('POST', `${api}/payouts`)).body.data,
    decide: (payoutId: number, lineId: number, body: object) =>
      owner.call('POST', `${api}/payouts/${payoutId}/lines/${lineId}`, body),
    /** A file of a payout, as the raw response. */
    file: (payoutId: number, body: object) =>
      fetch(`${service.url}${api}/payouts/${payoutId}/export`, {
        method: 'POST',
        headers: { cookie: owner.cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}
export type PayingProgram = Awaited<ReturnType<typeof givenPayingProgram>>

export const givenRole = async ({ db }: TestService, workspaceId: string, user: User, role: string) => {
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('members')
    .values({ id: unique('member'), organizationId: workspaceId, userId, role })
    .execute()
}

/** Payout details that a partner has had for a while, without the portal's validation. */
export const givenPayoutDetails = (
  { db }: TestService,
  { programId, partnerId, ...details }: { programId: number; partnerId: number; method: string; account: string },
) =>
  db
    .insertInto('partnerPayoutDetails')
    .values({ programId, partnerId, ...details, holder: 'Maya', note: null, updatedAt: new Date() })
    .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet(details))
    .execute()

/** A sale of a new customer of the program's partner. */
export const givenSale = async (program: PayingProgram, amount: number, more: object = {}) => {
  const customer_key = await program.customer()
  const invoice_id = unique('invoice')
  const { status, body } = await program.sale({ customer_key, amount, invoice_id, ...more })
  expect(status).toBe(200)
  return { customer_key, invoice_id, ...body } as {
    customer_key: string
    invoice_id: string
    sale_id: number
    commission_id: number | null
  }
}

/** The draft that the schedule of a program prepares of what is payable now. */
export const givenDraft = async (
  { db, clock }: TestService,
  { id: programId, owner, api }: Pick<PayingProgram, 'id' | 'owner' | 'api'>,
) => {
  expect((await owner.call('PUT', `${api}/payouts/schedule`, { frequency: 'monthly', day: 1 })).status).toBe(200)
  await db.updateTable('payoutSchedules').set({ lastPeriod: '2020-01-01' }).where('programId', '=', programId).execute()
  await prepareDrafts(db, { at: clock.now(), announce: async () => {} })
  const { data } = (await owner.call('GET', `${api}/payouts/schedule`)).body
  expect(data.openDraftId).toBeGreaterThan(0)
  return { draftId: data.openDraftId as number }
}
