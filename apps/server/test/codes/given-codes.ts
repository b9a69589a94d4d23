import { expect } from 'bun:test'
import { promotionCode } from '@tributary/contract/programs/codes'
import { verifyPayments } from '../../src/tracking/payments/verify-payments.ts'
import { givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import type { TestService } from '../support/service.ts'
import { verifyProgram } from '../support/verify-program.ts'

export const TEN_PERCENT = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 500 } }

/** A program whose partner owns a code. */
export const givenCodes = async (service: TestService, settings: Parameters<typeof givenPayingProgram>[2] = {}) =>
  withCodes(service, await givenPayingProgram(service, TEN_PERCENT, settings))

export const withCodes = <Program extends PayingProgram>(service: TestService, program: Program) => {
  const { owner, api } = program
  const assign = (body: object) => owner.call('POST', `${api}/codes`, { partnerId: program.link.partnerId, ...body })
  const assigned = async (body: object) => {
    const { status, body: answer } = await assign(body)
    expect(status).toBe(201)
    return promotionCode.parse(answer.data)
  }
  const change = (codeId: number, body: object) => owner.call('PATCH', `${api}/codes/${codeId}`, body)
  const sell = async (body: object) => {
    service.clock.advance(1_000)
    const answer = await program.sale({ amount: 10_000, invoice_id: unique('invoice'), ...body })
    expect(answer.status).toBe(200)
    return answer.body
  }
  return {
    ...program,
    partnerId: program.link.partnerId,
    otherPartner: async () => (await givenLink(service, program.id)).partnerId,
    assign,
    assigned,
    change,
    changed: async (codeId: number, body: object) => {
      service.clock.advance(1_000)
      const { status, body: answer } = await change(codeId, body)
      expect(status).toBe(200)
      service.clock.advance(1_000)
      return promotionCode.parse(answer.data)
    },
    code: async (id: number) => {
      const { body } = await owner.call('GET', `${api}/codes`)
      return promotionCode
        .array()
        .parse(body.data)
        .find((row) => row.id === id)
    },
    sell,
    sales: async () => (await owner.call('GET', `${api}/sales?sort=soldAt`)).body.data,
    explain: async (invoiceId: string) => (await owner.call('GET', `${api}/explain?invoice_id=${invoiceId}`)).body.data,
    verify: async () => {
      const check = { programId: program.id, sealedBefore: null, furtherChecks: [verifyPayments] }
      return (await verifyProgram(service.db, check)).differences
    },
  }
}
export type CodeProgram = Awaited<ReturnType<typeof givenCodes>>
