import { rollUp } from '../../src/events/roll-up/roll-up.ts'
import { findProgram } from '../../src/programs/programs.ts'
import { givenClick, givenLink, unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import type { TestService } from '../support/service.ts'

export const REWARD = { sale: { percentBps: 1000, duration: 'lifetime' }, lead: { amountCents: 50 } }
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36'
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1'

/** The money that this traffic earns. */
export const MONEY = {
  revenue: [
    { currency: 'EUR', amountCents: 700 },
    { currency: 'USD', amountCents: 2000 },
  ],
  commissions: [
    { currency: 'EUR', amountCents: 70 },
    { currency: 'USD', amountCents: 250 },
  ],
}
export const NO_MONEY = { revenue: [], commissions: [] }

/** A program with clicks of three kinds of visitor on two links, a lead and sales in two currencies. */
export const trafficOf = (service: TestService) => {
  const givenTraffic = async (settings = {}) => {
    const program = await givenPayingProgram(service, REWARD, settings)
    const other = await givenLink(service, program.id)
    const desktop = {
      user_agent: CHROME,
      referrer_url: 'https://www.Blog.example/post?id=7',
      page_url: 'https://shop.example/pricing/?utm=x#top',
    }
    const click_id = await givenClick(service, program.link, desktop)
    await givenClick(service, program.link, { user_agent: IPHONE, page_url: 'https://shop.example/' })
    await givenClick(service, other, { user_agent: IPHONE, referrer_url: 'android-app://com.example.app' })
    await givenClick(service, other, { user_agent: 'Googlebot/2.1' })
    const customer_key = unique('customer')
    await program.lead({ customer_key, click_id })
    await program.sale({ customer_key, amount: 2000, invoice_id: unique('invoice') })
    await program.sale({ customer_key, amount: 700, invoice_id: unique('invoice'), currency: 'EUR' })
    await program.sale({ customer_key: 'nobody', amount: 999, invoice_id: unique('invoice') })
    return { ...program, other, customer_key }
  }

  const rolledUp = async (program: PayingProgram) => {
    service.clock.advance(10 * 60_000)
    const found = await findProgram(service.db, program.id)
    if (!found) throw new Error('no program')
    while (!(await rollUp(service.db, { program: found, at: service.clock.now() })));
  }

  return { givenTraffic, rolledUp }
}
