import { expect, test } from 'bun:test'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** Two partners with one line each, both paid by PayPal. */
const givenTwoLines = async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const other = await givenLink(service, program.id)
  const method = 'paypal'
  for (const [{ partnerId }, account] of [
    [program.link, 'own@example.com'],
    [other, 'other@example.com'],
  ] as const)
    await givenPayoutDetails(service, { programId: program.id, partnerId, method, account })
  await givenSale(program, 1_000)
  const customer_key = unique('customer')
  await program.lead({ customer_key, click_id: await givenClick(service, other) })
  await program.sale({ customer_key, amount: 5_000, invoice_id: unique('invoice') })
  const { id, lines } = await program.pay()
  const lineOf = (partnerId: number): number =>
    lines.find((line: { partnerId: number }) => line.partnerId === partnerId).id
  const accountsIn = async (format: string) => {
    const text = await (await program.file(id, { format })).text()
    return [...text.matchAll(/\w+@example\.com/g)].map(([account]) => account)
  }
  const exportPayPal = () => program.owner.call('POST', `${program.api}/payouts/${id}/export`, { format: method })
  return {
    ...program,
    id,
    own: lineOf(program.link.partnerId),
    other: lineOf(other.partnerId),
    accountsIn,
    exportPayPal,
  }
}

test('a line paid outside of a payment file is in no file, with or without other open lines', async () => {
  const { decide, id, own, other, accountsIn } = await givenTwoLines()
  await decide(id, own, { status: 'paid' })
  expect(await accountsIn('paypal')).toEqual(['other@example.com'])
  await decide(id, other, { status: 'paid' })
  expect(await accountsIn('paypal')).toEqual(['other@example.com'])
})

test('a payout whose lines were all paid outside of payment files has no payment file', async () => {
  const { decide, id, own, other, accountsIn, exportPayPal } = await givenTwoLines()
  // Paid from the overview, or without any file.
  await accountsIn('csv')
  for (const line of [own, other]) await decide(id, line, { status: 'paid' })
  const refused = await exportPayPal()
  expectRefusal(refused, 409, 'conflict')
  expect(refused.body.error.message).toBe(
    'No line of this payout can be paid by PayPal right now. Already paid without a payment file: Partner, Partner.',
  )
})

test('a line paid outside of a payment file shows no method, whatever the payout details say', async () => {
  const { decide, id, own, owner, api } = await givenTwoLines()
  const { body } = await decide(id, own, { status: 'paid' })
  expect(body.data).toMatchObject({ status: 'paid', method: null, needsDetails: false })
  const { data } = (await owner.call('GET', `${api}/payouts/${id}/lines`)).body
  expect(data.find((line: { id: number }) => line.id === own)).toMatchObject({ method: null })
})
