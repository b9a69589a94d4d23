import { describe, expect, test } from 'bun:test'
import { readUserAgent } from '../src/visitors/user-agents.ts'
import { click, expectRefusal, givenClick, givenLink } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { clickEventsOf, countsOf, customerOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

const CRAWLERS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'WhatsApp/2.23.20.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (compatible; Bytespider)',
  'SkypeUriPreview Preview/0.5',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  'Mediapartners-Google',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
  'Pinterest/0.2 (+https://www.pinterest.com/)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Google Web Preview) Chrome/41.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/534 (KHTML, like Gecko) BingPreview/1.0b',
]
const PEOPLE = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15 Technology Preview',
  'Mozilla/5.0 (Linux; Android 14; SM-S921B; wv) AppleWebKit/537.36 Version/4.0 Chrome/129.0.0.0 Mobile Safari/537.36 [Pinterest/Android]',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]',
  'curl/8.5.0',
  'python-requests/2.31.0',
  'node',
  'axios/1.6.0',
  'Mozilla/5.0 (Linux; Android 12; CUBOT P50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
]

describe('crawlers and link previews', () => {
  for (const agent of CRAWLERS)
    test(`known: ${agent.slice(0, 40)}`, () => expect(readUserAgent(agent).device).toBe('bot'))
  for (const agent of PEOPLE)
    test(`not a crawler: ${agent.slice(0, 40)}`, () => expect(readUserAgent(agent).device).not.toBe('bot'))

  test('are recorded as crawlers, do not count and earn nothing', async () => {
    const program = await givenPayingProgram(service, { lead: { amountCents: 100 }, holdDays: 0 })
    const answer = await click(service, { affiliate_url: program.link.url, user_agent: CRAWLERS[0] })
    expect(answer.status).toBe(200)
    expect(await clickEventsOf(service, program.link.id)).toMatchObject([{ device: 'bot' }])
    expect((await countsOf(service, { linkId: program.link.id })).clicks).toBe(0)
    expect(await customerOf(service, answer.body.click_id)).toBeUndefined()
    expectRefusal(await program.lead({ click_id: answer.body.click_id, customer_key: 'u' }), 400, 'click_not_found')
    const listed = await program.owner.call('GET', `/api/tracking/events/${program.id}`)
    expect(listed.body).toMatchObject({
      data: [{ eventType: 'click', details: { device: 'bot' } }],
      meta: { pagination: { total: 1 } },
    })
  })

  test('do not take over a visitor’s click', async () => {
    const program = await givenPayingProgram(service, {
      sale: { percentBps: 1_000, duration: 'lifetime' },
      holdDays: 0,
    })
    const other = await givenLink(service, program.id)
    const click_id = await givenClick(service, program.link)
    await program.sale({ customer_key: 'early', amount: 1_000, invoice_id: 'in-1' })
    await click(service, { affiliate_url: other.url, existing_click_id: click_id, user_agent: CRAWLERS[0] })
    expect(await customerOf(service, click_id)).toMatchObject({ linkId: program.link.id })
    await program.lead({ click_id, customer_key: 'early' })
    expect(await program.commissions()).toMatchObject([{ partnerId: program.link.partnerId, amountCents: 100 }])
  })
})
