import { expect } from 'bun:test'
import { givenLink, type TestLink, unique } from '../../../server/test/support/given.ts'
import { givenPayingProgram, givenSale, type PayingProgram } from '../../../server/test/support/money.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import type { Account } from './service.ts'

const PASSWORD = 'a long password'
const REWARD = { sale: { percentBps: 2000, duration: 'lifetime' }, lead: { amountCents: 150 }, holdDays: 14 }

/** The path of a partner invitation link. */
export const givenPartnerInvitation = async (program: PayingProgram, link: TestLink = program.link) => {
  const email = `${unique('partner')}@example.com`
  const { status, body } = await program.owner.call('POST', `${program.api}/partners/${link.partnerId}/invite`, {
    email,
  })
  expect(status).toBe(201)
  return { email, path: new URL(body.data.url).pathname }
}

/** A partner who can sign in to the portal. */
export const givenPartnerAccount = async (service: TestService, program: PayingProgram, link?: TestLink) => {
  const { email, path } = await givenPartnerInvitation(program, link)
  const { status } = await service.call('POST', `/api/public/partner-invitations/${path.split('/').at(-1)}/sign-up`, {
    name: 'Maya',
    password: PASSWORD,
  })
  expect(status).toBe(200)
  return { email, password: PASSWORD } satisfies Account
}

/** Two partners of one program with sales. One sale of the first partner is half refunded, another one fully. */
export const givenEarningProgram = async (service: TestService) => {
  const program = await givenPayingProgram(service, REWARD)
  const sold = await givenSale(program, 10_000)
  const { status } = await program.refund({
    invoice_id: sold.invoice_id,
    amount: 5_000,
    reason: 'sent back by Mrs. Secret',
  })
  expect(status).toBe(200)
  const all = await givenSale(program, 7_700)
  expect((await program.refund({ invoice_id: all.invoice_id })).status).toBe(200)
  const other = await givenLink(service, program.id)
  const otherSale = await givenSale({ ...program, customer: newCustomer(service, program, other) }, 98_700)
  const secrets = [sold, all, otherSale].flatMap(({ customer_key, invoice_id }) => [customer_key, invoice_id])
  return { ...program, other, secrets: [...secrets, 'Secret', other.aff, other.partnerCode, '987.00', '197.40'] }
}

const newCustomer = (service: TestService, program: PayingProgram, link: TestLink) => async () => {
  const customer_key = unique('customer')
  const click = await service.call('POST', '/api/v1/track/click', { affiliate_url: link.url })
  expect((await program.lead({ customer_key, click_id: click.body.click_id })).status).toBe(200)
  return customer_key
}
