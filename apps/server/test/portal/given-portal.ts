import { expect } from 'bun:test'
import { createAccount, openSession } from '../support/accounts.ts'
import { givenClick, givenLink, type TestLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale, type PayingProgram } from '../support/money.ts'
import type { TestService } from '../support/service.ts'

export const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }
export const PASSWORD = 'a long password'

export const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** Partners of programs on a service, with what they can see. */
export const givenPortal = (open: TestService) => {
  const callerWith = (cookie: string) => ({
    cookie,
    call: (method: string, path: string, body?: unknown) => open.call(method, path, body, { cookie }),
  })

  /** A partner of the program whose account came from an invitation. */
  const givenPartner = async (program: PayingProgram, link: TestLink = program.link) => {
    const email = `${unique('partner')}@example.com`
    const { status, body } = await program.owner.call('POST', `${program.api}/partners/${link.partnerId}/invite`, {
      email,
    })
    expect(status).toBe(201)
    const id = body.data.url.split('/').at(-1)
    const account = await createAccount(open.db, { email, name: 'Maya' })
    const { name, value } = await openSession(open.db, account.id)
    const partner = callerWith(`${name}=${value}`)
    const accepted = await partner.call('POST', `/api/portal/invitations/${id}/accept`)
    expect(accepted.status).toBe(200)
    return { email, invitationId: id, ...partner }
  }

  const givenEarningPartner = async () => {
    const program = await givenPayingProgram(open, REWARD)
    const other = await givenLink(open, program.id)
    await givenClick(open, other)
    const sold = await givenSale(program, 1000)
    await program.refund({ invoice_id: sold.invoice_id, amount: 400, reason: 'the customer Mrs. Secret sent it back' })
    const partner = await givenPartner(program)
    const portal = `/api/portal/programs/${program.id}`
    const get = async (path: string) => {
      const { status, body } = await partner.call('GET', `${portal}${path}`)
      expect(status).toBe(200)
      return body.data
    }
    return { ...program, other, sold, partner, portal, get }
  }

  return { callerWith, givenPartner, givenEarningPartner }
}
