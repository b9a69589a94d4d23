import { expect, test } from 'bun:test'
import { payoutLineEvent } from '@tributary/contract'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** A payout of $10.00 with one line. */
const givenLine = async () => {
  const program = await givenPayingProgram(service, REWARD)
  const paypal = {
    programId: program.id,
    partnerId: program.link.partnerId,
    method: 'paypal',
    account: 'm@example.com',
  }
  await givenPayoutDetails(service, paypal)
  const { invoice_id } = await givenSale(program, 10_000)
  const payout = await program.pay()
  const lineId: number = payout.lines[0].id
  const path = `${program.api}/payouts/${payout.id}/lines/${lineId}/history`
  const history = async () => {
    const { data } = (await program.owner.call('GET', path)).body
    return data.map((event: unknown) => payoutLineEvent.parse(event))
  }
  const mark = (body: object) => program.decide(payout.id, lineId, body)
  return { ...program, invoice_id, payout, path, history, mark }
}

test('the history of a line says who created, exported and marked it, when and why', async () => {
  const { history, mark, file, payout } = await givenLine()
  await file(payout.id, { format: 'paypal' })
  const failed = await mark({ status: 'failed', note: 'Account closed' })
  expect(failed.body.data).toMatchObject({ status: 'failed', note: 'Account closed' })
  // Repeating the call adds nothing.
  expect((await mark({ status: 'failed', note: 'Account closed' })).status).toBe(200)
  expect(await history()).toMatchObject([
    { action: 'created', amountCents: 1_000, userName: expect.any(String) },
    { action: 'exported', file: 'paypal', amountCents: 1_000, userName: expect.any(String) },
    { action: 'failed', amountCents: 1_000, note: 'Account closed', userName: expect.any(String) },
  ])
})

test('the history of a line that refunds emptied says that it closed', async () => {
  const { history, refund, invoice_id } = await givenLine()
  await refund({ invoice_id })
  expect(await history()).toMatchObject([
    { action: 'created', amountCents: 1_000 },
    { action: 'emptied', amountCents: 0, userName: null },
  ])
})

test('the history is for members who manage payouts, and a note has a limit', async () => {
  const { path, workspaceId, owner, mark } = await givenLine()
  const member = await givenUser(service)
  await givenRole(service, workspaceId, member, 'member')
  expectRefusal(await service.call('GET', path), 401, 'unauthenticated')
  for (const user of [member, await givenUser(service)]) expectRefusal(await user.call('GET', path), 403, 'forbidden')
  expectRefusal(await owner.call('GET', path.replace(/lines\/\d+/, 'lines/987654')), 404, 'not_found')
  expectRefusal(await mark({ status: 'paid', note: 'x'.repeat(501) }), 400, 'invalid_request')
})
