import { expect } from 'bun:test'
import { expectRefusal, givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import type { TestService } from '../support/service.ts'

const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, holdDays: 0 }

/** Two partners: Zoë earned 100 and 30, Adam 70 in dollars and 5 in euros. All but 3 of Zoë's 30 was refunded. */
export const givenEarnings = async (service: TestService) => {
  const program = await givenPayingProgram(service, REWARD)
  const other = await givenLink(service, program.id)
  const call = (path: string) => program.owner.call('GET', `${program.api}${path}`)
  const rename = (id: number, name: string) =>
    service.db.updateTable('partners').set({ name }).where('id', '=', id).execute()
  await rename(program.link.partnerId, 'Zoë')
  await rename(other.partnerId, 'adam')
  const sell = async (amount: number, currency = 'USD') => {
    service.clock.advance(1000)
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id: await givenClick(service, other) })
    await program.sale({ customer_key, amount, currency, invoice_id: unique('invoice') })
  }
  await givenSale(program, 1000)
  await sell(700)
  service.clock.advance(1000)
  const half = await givenSale(program, 300)
  await program.refund({ invoice_id: half.invoice_id, amount: 270 })
  await sell(50, 'EUR')
  const get = async (path: string) => {
    const { status, body } = await call(path)
    expect(status).toBe(200)
    return body
  }
  const refuses = async (path: string) => expectRefusal(await call(path), 400, 'invalid_request')
  return { ...program, other, get, refuses }
}

export const column = (body: { data: Record<string, unknown>[] }, name: string) => body.data.map((row) => row[name])
