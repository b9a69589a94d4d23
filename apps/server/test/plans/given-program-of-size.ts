import { expect } from 'bun:test'
import { givenPortal } from '../portal/given-portal.ts'
import { post, signatureOf } from '../processor/given-processor.ts'
import { event } from '../processor/stripe-events.ts'
import { givenClick, givenLink, type TestLink, unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import type { TestService } from '../support/service.ts'

const REWARD = {
  lead: { amountCents: 50 },
  sale: { percentBps: 1_000, duration: 'lifetime' },
  holdDays: 0,
}

/** How many things each part of a program has, for every unit of its size. */
const PER_UNIT = { salesOfOne: 6, bonuses: 4, others: 2 }

/**
 * A program whose lists all grow with its size: customers, sales, refunds, bonuses and payouts of one partner, other partners
 * with a sale each, and what members and the processor did.
 */
export const givenProgramOfSize = async (service: TestService, size: number) => {
  const program = await givenPayingProgram(service, REWARD)
  const { owner, api, link } = program
  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await owner.call(method, path, body)
    // On a busy machine.
    if (answer.status === 503) return made(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const partner = await givenPortal(service).givenPartner(program)
  const endpoint = { url: 'https://hooks.invalid/', events: ['*'] }
  const { id: endpointId } = await made('POST', `${api}/webhook-endpoints`, endpoint)
  const webhookSecret = `whsec_${unique('secret').replaceAll('-', '')}`
  await made('PUT', `${api}/processor`, { webhookSecret })
  const group = await made('POST', `${api}/groups`, { name: 'Gold' })
  const resource = await made('POST', `${api}/resources/files?fileName=a.txt`, 'A file')

  const sell = async (of: TestLink) => {
    const customer_key = unique('customer')
    const invoice_id = unique('invoice')
    const click_id = await givenClick(service, of)
    const lead = await program.lead({ customer_key, click_id })
    const sold = await program.sale({ customer_key, amount: 1_000, invoice_id })
    expect([lead.status, sold.status]).toEqual([200, 200])
    return {
      clickId: click_id,
      customerKey: customer_key,
      invoiceId: invoice_id,
      leadId: lead.body.lead_id,
      saleId: sold.body.sale_id,
    }
  }
  const bonus = () =>
    made('POST', `${api}/adjustments`, {
      type: 'bonus',
      partnerId: link.partnerId,
      amountCents: 100,
      reason: 'Well done',
    })
  const receive = async () => {
    const raw = JSON.stringify(event('2026', 'invoice.created', {}))
    const signature = await signatureOf(raw, { secret: webhookSecret, at: service.clock.now() })
    expect((await post(service, `/api/v1/processor/webhook/${program.id}`, raw, signature)).status).toBe(200)
  }
  const inUnit = async (unit: number) => {
    const others = await times(PER_UNIT.others, () => givenLink(service, program.id))
    const [first] = await Promise.all([
      sell(link),
      ...Array.from({ length: PER_UNIT.salesOfOne - 1 }, () => sell(link)),
      ...others.map(sell),
    ])
    await times(PER_UNIT.bonuses, bonus)
    const waiting = await program.sale({ customer_key: unique('waiting'), amount: 5, invoice_id: unique('invoice') })
    await made('POST', `${api}/adjustments`, {
      type: 'credit',
      partnerId: link.partnerId,
      saleId: waiting.body.sale_id,
      reason: 'They sent the customer',
    })
    await receive()
    const joined = others.map(({ partnerId }) => partnerId)
    await made('POST', `${api}/groups/${group.id}/partners`, { partnerIds: [link.partnerId, ...joined] })
    await made('POST', `${api}/views`, { list: 'sales', name: `View ${unit}`, shared: true, search: {} })
    const payout = await program.pay()
    // Changes of what a payout already includes.
    expect((await program.refund({ invoice_id: first.invoiceId, amount: 500 })).status).toBe(200)
    const { data } = (await owner.call('GET', `${api}/commissions?partnerId=${link.partnerId}&pageSize=2`)).body
    await made('POST', `${api}/commissions/${data[0].id}/void`, { reason: 'A test' })
    for (const [index, line] of payout.lines.entries())
      if (index > 0) await program.decide(payout.id, line.id, { status: index % 2 ? 'paid' : 'failed' })
    return { sold: first, payout, commissionId: data[1].id }
  }
  const units = []
  for (let unit = 0; unit < size; unit++) units.push(await inUnit(unit))
  const [first] = units
  if (!first) throw new Error('A program has at least one unit.')
  const line = first.payout.lines.find(({ partnerId }: { partnerId: number }) => partnerId === link.partnerId)
  const firstOf = async (list: string) => (await owner.call('GET', `${api}${list}?pageSize=1`)).body.data[0]?.id
  const names = {
    programId: program.id,
    workspaceId: program.workspaceId,
    partnerId: link.partnerId,
    groupId: group.id,
    saleId: first.sold.saleId,
    leadId: first.sold.leadId,
    customerId: first.sold.clickId,
    linkId: link.id,
    payoutId: first.payout.id,
    lineId: line.id,
    commissionId: first.commissionId,
    resourceId: resource.id,
    eventId: await firstOf('/processor/events'),
    deliveryId: await firstOf('/webhook-deliveries'),
    endpointId,
    userId: 'nobody',
    invoice_id: first.sold.invoiceId,
    customer_key: first.sold.customerKey,
    click_id: first.sold.clickId,
  } as Record<string, string | number>
  return { ...program, partner, names }
}
export type SizedProgram = Awaited<ReturnType<typeof givenProgramOfSize>>

const times = async <Result>(count: number, act: () => Promise<Result>) => {
  const results: Result[] = []
  for (let index = 0; index < count; index++) results.push(await act())
  return results
}
