import { describe, expect, test } from 'bun:test'
import { type Explanation, explanation, REASONS } from '@tributary/contract'
import { givenProgram } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor, type ProcessorProgram } from './given-processor.ts'
import { stripePayment } from './stripe-events.ts'

const service = await givenService()

const why = async ({ owner, api }: Pick<ProcessorProgram, 'owner' | 'api'>, name: string, query = '') => {
  const { status, body } = await owner.call('GET', `${api}/explain?invoice_id=${name}${query}`)
  expect(status).toBe(200)
  return explanation.parse(body.data) as Explanation
}

describe('explain about a payment that is not a sale', () => {
  test('finds one that names a program of another workspace, under each of its names', async () => {
    const [program, other] = [await givenProcessor(service), await givenProcessor(service)]
    const { ids, completed } = await other.payment()
    await program.send(completed())
    for (const name of [ids.session, ids.intent]) {
      const { outcome, reason, sentences, timeline } = await why(program, name)
      expect({ name, outcome, reason }).toEqual({ name, outcome: 'uncredited', reason: 'program_of_others' })
      expect(sentences.join(' ')).not.toContain('send the sale again')
      expect(timeline).toMatchObject([{ event: 'payment', outcome: 'refused', reason: 'program_of_others' }])
    }
    // Neither the named workspace nor partners see it.
    expect(await why(other, ids.session)).toMatchObject({ reason: 'invoice_never_received', timeline: [] })
    const forPartner = await why(program, ids.session, '&audience=partner')
    expect(JSON.stringify(forPartner)).not.toContain(ids.intent)
    expect(forPartner.timeline).toEqual([])
  })

  test('also finds it if other reports name no program', async () => {
    const [program, other] = [await givenProcessor(service), await givenProcessor(service)]
    const payment = await other.payment()
    await program.send(payment.completed(), payment.intentSucceeded({ metadata: {} }))
    for (const name of [payment.ids.session, payment.ids.intent, payment.ids.charge]) {
      const { reason, timeline } = await why(program, name)
      expect({ name, reason }).toEqual({ name, reason: 'program_of_others' })
      if (name !== payment.ids.session)
        expect(timeline.map((entry) => entry.reason).toSorted()).toEqual(['no_metadata', 'program_of_others'])
    }
  })

  test('finds one in test mode as a test only, even over the test limit', async () => {
    const program = await givenProcessor(service)
    const payment = await program.payment({ livemode: false })
    for (let index = 0; index < 60; index++) await program.send(payment.completed())
    const late = await program.payment({ livemode: false })
    await program.send(late.completed())
    for (const { ids } of [payment, late]) {
      const { outcome, reason, sentences } = await why(program, ids.session)
      expect({ outcome, reason }).toEqual({ outcome: 'not_received', reason: 'invoice_only_as_test' })
      expect(sentences.join(' ')).toContain('live mode')
    }
  })

  test('points from one that names another program of the workspace to that program', async () => {
    const program = await givenProcessor(service)
    const sibling = await givenProgram(service)
    await service.pool.query('UPDATE programs SET workspace_id = $1 WHERE id = $2', [program.workspaceId, sibling.id])
    const payment = await program.payment({ livemode: false })
    await program.send(payment.completed())
    const explained = await why({ owner: program.owner, api: `/api/programs/${sibling.id}` }, payment.ids.session)
    expect(explained.reason).toBe('invoice_never_received')
  })

  test('finds one of zero and one without an amount', async () => {
    const program = await givenProcessor(service)
    const [trial, broken] = [stripePayment(), stripePayment()]
    await program.send(trial.completed({ payment_status: 'no_payment_required' }))
    await program.send(broken.completed({ amount_total: 'much' }))
    expect(await why(program, trial.ids.session)).toMatchObject({ outcome: 'uncredited', reason: 'nothing_paid' })
    const { reason, sentences } = await why(program, broken.ids.session)
    expect(reason).toBe('invoice_never_received')
    expect(sentences).toEqual([REASONS.invoice_never_received, expect.stringContaining('has no valid amount')])
  })

  test('does not find one that never arrived', async () => {
    const program = await givenProcessor(service)
    await program.send((await program.payment({ livemode: false })).completed())
    expect((await why(program, 'cs_never')).reason).toBe('invoice_never_received')
  })
})
