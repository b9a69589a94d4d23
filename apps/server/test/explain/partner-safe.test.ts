import { describe, expect, test } from 'bun:test'
import { REASONS_FOR_PARTNERS } from '@tributary/contract'
import { browserLead, givenClick, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { expectEveryDecisionAgain } from './every-decision.ts'
import { givenExplained, nameOf, TEN_PERCENT } from './given-explained.ts'

const service = await givenService()

describe('the partner-safe variant', () => {
  // Chosen so that no timestamp or ID contains them.
  const AMOUNT = 4_917_123
  const AMOUNTS = ['49,171.23', '4,917.12', '491712']
  const NOTE = 'note-of-the-reviewer'
  const METADATA = 'metadata-of-the-merchant'
  const QUERY = 'token-in-the-page-address'

  const givenSecrets = async () => {
    const program = await givenExplained(service)
    await nameOf(service, program.link, 'Maya', 'maya@partner.example')
    const [customer_key, invoice_id, email] = [unique('key'), unique('inv'), 'Maya@partner.example']
    const page = { page_url: `https://shop.example/?${QUERY}`, referrer_url: `https://blog.example/?${QUERY}` }
    const click_id = await givenClick(service, program.rival, page)
    service.clock.advance(1_000)
    await givenClick(service, program.link, { ...page, existing_click_id: click_id })
    const lead = (await program.lead({ customer_key, click_id, email })).body.lead_id
    const sale = await program.sold({ customer_key, invoice_id, amount: AMOUNT, metadata: { note: METADATA } })
    const [{ id: commission }] = await program.commissions()
    expect((await program.review(commission, 'released', NOTE)).status).toBe(200)
    await program.refund({ invoice_id, amount: 100, reason: METADATA, refund_id: unique('refund-of-merchant') })
    await program.dispute(invoice_id, 'dispute-of-merchant', 'open')
    const paths = [
      `/sales/${sale}/explain?`,
      `/leads/${lead}/explain?`,
      `/explain?invoice_id=${invoice_id}`,
      `/explain?customer_key=${customer_key}`,
      `/explain?click_id=${click_id}`,
      `/explain?invoice_id=x-${invoice_id}`,
      `/explain?customer_key=x-${customer_key}`,
      `/explain?click_id=x-${click_id}`,
    ]
    const secrets = [customer_key, invoice_id, email, 'm***@', '@partner.example', click_id, METADATA, QUERY, NOTE]
    return { program, paths, sale, secrets: [...secrets, 'refund-of-merchant', 'dispute-of-merchant'] }
  }

  test('leaks no personal data and nothing about other partners', async () => {
    const { program, paths, secrets } = await givenSecrets()
    const readers = [
      { query: '', foreign: ['Ben', program.rival.aff] },
      { query: `&partnerId=${program.link.partnerId}`, foreign: ['Ben', program.rival.aff] },
      { query: `&partnerId=${program.rival.partnerId}`, foreign: ['Maya', program.link.aff, ...AMOUNTS] },
      { query: '&partnerId=987654', foreign: ['Maya', 'Ben', program.link.aff, program.rival.aff, ...AMOUNTS] },
    ]
    for (const path of paths)
      for (const { query, foreign } of readers) {
        const text = JSON.stringify(await program.get(`${path}&audience=partner${query}`))
        const leaked = [...secrets, ...foreign].filter((secret) => text.includes(secret))
        expect({ path, query, leaked }).toEqual({ path, query, leaked: [] })
      }
    const all = JSON.stringify(await program.get(`${paths[0]}`))
    for (const known of ['Ben', 'Maya', program.rival.aff, ...AMOUNTS]) expect(all).toContain(known)
  })

  test('contains no ID of another partner or link', async () => {
    const { program, paths } = await givenSecrets()
    const foreign = `"(partnerId":${program.rival.partnerId}|linkId":${program.rival.id})[,}]`
    for (const path of paths)
      expect(JSON.stringify(await program.get(`${path}&audience=partner`))).not.toMatch(new RegExp(foreign))
    expect(JSON.stringify(await program.get(`${paths[0]}`))).toMatch(new RegExp(foreign))
  })

  test('still says why, to the winner and to the loser', async () => {
    const { program, sale } = await givenSecrets()
    const winner = await program.explainSale(sale, '?audience=partner')
    expect(winner.sentences[0]).toBe(
      'A sale of $49,171.23 was credited to you because you referred this customer. Their later sales stay with you.',
    )
    expect(winner.sentences).toContain('The visitor also clicked another partner’s link.')
    expect(winner.commission).toMatchObject({ amountCents: 491_712 })
    const loser = await program.explainSale(sale, `?audience=partner&partnerId=${program.rival.partnerId}`)
    expect(loser.sentences[0]).toStartWith('A sale was credited to another partner because')
    expect(loser.sentences.join(' ')).toContain('was not credited because a later click replaced it.')
    expect(loser).toMatchObject({ commission: null, timeline: [{ event: 'sale' }] })
  })

  test('does not show how the merchant reports leads', async () => {
    const program = await givenExplained(service, TEN_PERCENT, { leadAuth: 'browser_allowed' })
    const lead = { click_id: await givenClick(service, program.link), customer_key: unique('key') }
    const { body } = await browserLead(service, lead)
    const codeFor = async (query: string) => (await program.explainLead(body.lead_id, query)).steps[0]?.code
    expect(await codeFor('')).toBe('lead_settled_in_browser')
    expect(await codeFor('?audience=partner')).toBe('lead_settled')
  })

  test('avoids technical terms', async () => {
    const technical =
      /server|browser|processor|metadata|\bAPI\b|\bkeys?\b|\bID\b|window|version|UTC|settle|provisional|reward terms/
    for (const [code, sentence] of Object.entries(REASONS_FOR_PARTNERS))
      expect({ code, technical: technical.exec(sentence)?.[0] }).toEqual({ code, technical: undefined })
    const { program, sale } = await givenSecrets()
    const { sentences } = await program.explainSale(sale, '?audience=partner')
    expect(sentences.filter((sentence: string) => technical.test(sentence))).toEqual([])
    expect(sentences.join(' ')).toMatch(/Credited click: your link “\S+”, [A-Z][a-z]{2} \d{1,2}, 20\d\d\./)
    const forMerchant = (await program.explainSale(sale)).sentences.join(' ')
    expect(forMerchant).toMatch(
      /The click on Maya’s link \S+ on [A-Z][a-z]{2} \d{1,2}, 20\d\d, \d{1,2}:\d\d [AP]M UTC was/,
    )
    expect(forMerchant).toContain('under the program’s default terms (version 1), which went to review because')
  })

  test('addresses one partner even if a customer has sales credited to several', async () => {
    const program = await givenExplained(service)
    const click_id = await givenClick(service, program.rival)
    await program.sold({ customer_key: 'both', amount: 7_700 })
    service.clock.advance(1_000)
    await givenClick(service, program.link, { existing_click_id: click_id })
    await program.lead({ customer_key: 'both', click_id })
    const { sentences } = await program.why('customer_key', 'both', '&audience=partner')
    expect(sentences[0]).toContain('credited to you')
    expect(sentences.at(-1)).toStartWith('A sale was credited to another partner')
    expect(sentences.join(' ')).not.toContain('77.00')
  })
})

test('the decisions come out the same when their facts are fed back into the rules', async () => {
  expect(await expectEveryDecisionAgain(service.db)).toBeGreaterThan(10)
})
