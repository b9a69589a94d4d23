import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram, givenPayoutDetails, givenSale } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'

const service = await givenService()
const TEN_PERCENT = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/**
 * A partner with $1.00 in an open payout line, with functions that export and mark it and change the partner's status.
 */
const givenOpenLine = async () => {
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const partner = { programId: program.id, partnerId: program.link.partnerId }
  await givenPayoutDetails(service, { ...partner, method: 'paypal', account: 'maya@example.com' })
  await givenSale(program, 1_000)
  const { id, lines } = await program.pay()
  const setStatus = async (status: string) => {
    const path = `${program.api}/partners/${partner.partnerId}`
    expect((await program.owner.call('PATCH', path, { status })).status).toBe(200)
  }
  const expectVerified = async () =>
    expect((await verifyProgram(service.db, { programId: program.id, sealedBefore: null })).differences).toEqual([])
  return {
    ...program,
    setStatus,
    expectVerified,
    lineId: lines[0].id as number,
    mark: (body: object) => program.decide(id, lines[0].id, body),
    reset: () => program.owner.call('POST', `${program.api}/payouts/${id}/lines/${lines[0].id}/reset`),
    exportAs: async (format: string) => (await program.file(id, { format })).status,
  }
}

const STATUSES = ['suspended', 'rejected', 'pending'] as const

for (const status of sized({ short: STATUSES.slice(0, 1), long: [...STATUSES] }))
  describe(`an open payout line of a ${status} partner`, () => {
    test('cannot be marked paid until the partner is approved if no file contained it', async () => {
      const line = await givenOpenLine()
      await line.setStatus(status)
      // The overview lists it, which does not count as exported.
      expect(await line.exportAs('csv')).toBe(200)
      const refused = await line.mark({ status: 'paid' })
      expectRefusal(refused, 409, 'conflict')
      expect(refused.body.error).toMatchObject({
        field: 'status',
        message: `The partner is ${status} and the line was never exported, so it cannot be marked paid. Approve the partner first, or mark the line failed to return the amount to their balance.`,
      })
      expect(await line.balance()).toMatchObject({ batchedCents: 100, paidCents: 0 })
      await line.setStatus('approved')
      expect((await line.mark({ status: 'paid' })).status).toBe(200)
      expect(await line.balance()).toMatchObject({ batchedCents: 0, paidCents: 100 })
      await line.expectVerified()
    })

    for (const format of ['paypal', 'csv'])
      test(`can be marked paid if an earlier ${format} file contained it: the money may already be sent`, async () => {
        const line = await givenOpenLine()
        expect(await line.exportAs(format)).toBe(200)
        await line.setStatus(status)
        await line.reset()
        for (let calls = 0; calls < 2; calls++)
          expect((await line.mark({ status: 'paid' })).body.data).toMatchObject({ status: 'paid', amountCents: 100 })
        await line.expectVerified()
      })

    test('can be marked failed, and one paid earlier answers a repeat as usual', async () => {
      const failed = await givenOpenLine()
      await failed.setStatus(status)
      expect((await failed.mark({ status: 'failed' })).body.data).toMatchObject({ status: 'failed' })
      const paid = await givenOpenLine()
      await paid.mark({ status: 'paid' })
      await paid.setStatus(status)
      expect((await paid.mark({ status: 'paid' })).body.data).toMatchObject({ status: 'paid' })
    })
  })
