import { expect, test } from 'bun:test'
import { payout, payoutLine } from '@tributary/contract'
import { givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 }
const DETAILS = {
  method: 'bank',
  account: 'DE02 1203 0000 0000 2020 51',
  holder: 'Maya Lindqvist',
  note: null,
} as const

test('payout lines show payout details only to members who send payouts', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 1000)
  const made = payout.parse(await program.pay())
  expect(made.lines).toMatchObject([{ payoutDetails: null }])

  const key = { programId: program.id, partnerId: program.link.partnerId }
  await service.db
    .insertInto('partnerPayoutDetails')
    .values({ ...key, ...DETAILS, updatedAt: new Date() })
    .execute()
  const linesFor = async ({ call }: typeof program.owner) => {
    const { body: list } = await call('GET', `${program.api}/payouts/${made.id}/lines`)
    const { body: whole } = await call('GET', `${program.api}/payouts/${made.id}`)
    return [...list.data, ...whole.data.lines].map((line: unknown) => payoutLine.parse(line).payoutDetails)
  }
  expect(await linesFor(program.owner)).toMatchObject([DETAILS, DETAILS])
  for (const [role, seen] of [['billing', expect.objectContaining(DETAILS)] as const, ['viewer', null] as const]) {
    const colleague = await givenUser(service)
    await givenRole(service, program.workspaceId, colleague, role)
    expect(await linesFor(colleague)).toEqual([seen, seen])
  }
  const { body } = await program.decide(made.id, made.lines[0]?.id ?? 0, { status: 'paid' })
  expect(payoutLine.parse(body.data).payoutDetails).toMatchObject(DETAILS)
})
