import { expect, test } from 'bun:test'
import { statement } from '@tributary/contract'
import { givenPortal } from '../portal/given-portal.ts'
import { expectRefusal, givenUser } from '../support/given.ts'
import { givenPayingProgram, givenRole, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const MERCHANT = { legalName: 'Acme GmbH', address: '1 Street\nBerlin', taxId: 'DE1', email: 'a@acme.example' }
const MAYA = { name: 'Maya Lindqvist', company: 'Maya AB', address: '2 Lane\nStockholm', taxId: 'SE1' }

/** A payout of $10.00 whose statement was issued before anyone entered legal details. */
const givenStatement = async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 10_000)
  const payout = await program.pay()
  const path = `${program.api}/payouts/${payout.id}/lines/${payout.lines[0].id}/statement`
  const read = async (version = '') =>
    statement.parse((await program.owner.call('GET', `${path}${version && `?version=${version}`}`)).body.data)
  const setDetails = (details: object) => program.owner.call('PUT', `${program.api}/legal-details`, details)
  const reissue = (user = program.owner) => user.call('POST', `${path}/reissue`)
  const verify = async () =>
    (await verifyProgram(service.db, { programId: program.id, sealedBefore: null })).differences
  return { ...program, payout, path, read, setDetails, reissue, verify }
}

/** Everything except the details and the version. */
const moneyOf = ({
  merchant: _,
  partner: __,
  version: ___,
  versions: ____,
  canReissue: _____,
  ...rest
}: object & {
  [field: string]: unknown
}) => rest

test('a statement is reissued with legal details that were added later: both versions stay, with equal amounts', async () => {
  const program = await givenStatement()
  const partner = await givenPartner(program)
  const first = await program.read()
  expect(first).toMatchObject({ number: 1, version: 1, merchant: null, partner: null, canReissue: false })
  await program.setDetails(MERCHANT)
  await partner.call('PUT', `/api/portal/programs/${program.id}/legal-details`, MAYA)
  expect(await program.read()).toEqual({ ...first, canReissue: true })

  service.clock.advance(60_000)
  const answer = await program.reissue()
  expect(answer.status).toBe(201)
  const second = statement.parse(answer.body.data)
  expect(second).toMatchObject({ number: 1, version: 2, merchant: MERCHANT, partner: MAYA, canReissue: false })
  expect(second.versions).toEqual([...first.versions, { version: 2, issuedAt: expect.any(String) }])
  expect(moneyOf(second)).toEqual(moneyOf(first))
  expect(await program.read()).toEqual(second)
  expect(await program.read('1')).toMatchObject({ version: 1, merchant: null, partner: null, totalCents: 1_000 })
  const own = (version: string) =>
    partner.call('GET', `/api/portal/programs/${program.id}/payouts/${program.payout.lines[0].id}/statement${version}`)
  expect((await own('')).body.data).toMatchObject({ version: 2, partner: MAYA })
  expect((await own('?version=1')).body.data).toMatchObject({ version: 1, partner: null })
  expectRefusal(await own('?version=3'), 404, 'not_found')
  expect(await program.verify()).toEqual([])
})

test('a statement is not reissued if nothing has changed, also by concurrent calls', async () => {
  const program = await givenStatement()
  expectRefusal(await program.reissue(), 409, 'conflict')
  await program.setDetails(MERCHANT)
  const answers = await Promise.all([program.reissue(), program.reissue(), program.reissue()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  expect((await program.read()).versions).toHaveLength(2)
})

test('a paid statement keeps its payment and its amounts, and a later refund does not change its versions', async () => {
  const program = await givenStatement()
  await program.decide(program.payout.id, program.payout.lines[0].id, { status: 'paid', reference: 'PAY-1' })
  await program.setDetails(MERCHANT)
  await program.reissue()
  await program.setDetails({ ...MERCHANT, address: 'Moved' })
  await program.reissue()
  for (const version of ['1', '2', '3'])
    expect(await program.read(version)).toMatchObject({ status: 'paid', reference: 'PAY-1', amountCents: 1_000 })
  expect((await program.read('3')).merchant).toMatchObject({ address: 'Moved' })
  expect(await program.verify()).toEqual([])
})

test('only members who manage payouts reissue statements, and unknown versions are not found', async () => {
  const program = await givenStatement()
  await program.setDetails(MERCHANT)
  const member = await givenUser(service)
  await givenRole(service, program.workspaceId, member, 'member')
  expectRefusal(await program.reissue(member), 403, 'forbidden')
  expectRefusal(await program.owner.call('GET', `${program.path}?version=2`), 404, 'not_found')
  expectRefusal(await program.owner.call('GET', `${program.path}?version=x`), 400, 'invalid_request')
})

test('ledger:verify finds a removed version', async () => {
  const program = await givenStatement()
  for (const address of ['One', 'Two']) {
    await program.setDetails({ ...MERCHANT, address })
    await program.reissue()
  }
  await service.pool.query('DELETE FROM payout_statement_versions WHERE program_id = $1 AND version = 2', [program.id])
  expect(await program.verify()).toEqual(['statement 1 lacks a version'])
})
