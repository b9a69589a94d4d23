import { describe, expect, test } from 'bun:test'
import { exampleEvent, MAX_URL_LENGTH, PUBLISHED_EVENT_TYPES } from '@tributary/contract'
import { bodyOf } from '../../src/webhooks/body/body.ts'

const names = { programName: 'Acme', partnerName: 'Ada Review', customer: null }
const bodyFor = (type: (typeof PUBLISHED_EVENT_TYPES)[number], format: 'standard' | 'slack' | 'discord', more = {}) =>
  JSON.parse(bodyOf({ event: exampleEvent(type), format, ...names, ...more }))

describe('the body of a webhook', () => {
  test('is the event, with customer data only for an endpoint that asks for it', () => {
    expect(bodyFor('sale.created', 'standard')).toEqual(exampleEvent('sale.created'))
    const customer = { email: 'a***@example.com' }
    expect(bodyFor('sale.created', 'standard', { customer })).toEqual({
      ...exampleEvent('sale.created'),
      data: { ...exampleEvent('sale.created').data, customer },
    })
  })

  test('is a message in plain English for Slack and Discord, for every type', () => {
    const titles = PUBLISHED_EVENT_TYPES.map((type) => bodyFor(type, 'slack').text)
    expect(titles).toMatchInlineSnapshot(`
      [
        "Ada Review applied to become a partner",
        "Ada Review is now a partner",
        "Ada Review was rejected as a partner",
        "Ada Review was suspended",
        "The details of Ada Review changed",
        "New link ada-blog of Ada Review",
        "The link ada-blog of Ada Review changed",
        "New code ADA20 of Ada Review",
        "The code ADA20 of Ada Review changed",
        "New lead from Ada Review",
        "New sale: $49.00",
        "The sale of $49.00 changed",
        "Refund: $19.00 of a sale of $49.00",
        "The customer disputed the sale of $49.00",
        "The sale of $49.00 was merged into another one",
        "Ada Review earned $9.80",
        "The commission of $9.80 for Ada Review changed",
        "The commission of $9.80 for Ada Review can be paid",
        "The commission of $9.80 for Ada Review was voided",
        "New payout: $124.00 to Ada Review",
        "The payout to Ada Review was reduced to $120.20",
        "Paid $124.00 to Ada Review",
        "The payout of $124.00 to Ada Review failed",
        "The reward terms changed",
        "The payment processor was connected",
        "The payment processor was disconnected",
        "A test event from Tributary",
      ]
    `)
    expect(bodyFor('sale.created', 'slack')).toEqual({
      text: 'New sale: $49.00',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*New sale: $49.00*\nInvoice in_1042. Credited to Ada Review.' },
        },
        { type: 'context', elements: [{ type: 'plain_text', text: 'Acme · sale.created · event 4211' }] },
      ],
    })
    expect(bodyFor('commission.created', 'discord')).toEqual({
      content: 'Ada Review earned $9.80',
      embeds: [{ description: 'A commission for a sale.', footer: { text: 'Acme · commission.created · event 4211' } }],
      allowed_mentions: { parse: [] },
    })
  })

  test('cannot be made to mention or link by a name', () => {
    const partnerName = '<!channel> @everyone [x](https://evil.example) *&'
    expect(bodyFor('payout.paid', 'slack', { partnerName }).text).toBe(
      'Paid $124.00 to &lt;!channel&gt; @everyone [x](https://evil.example) *&amp;',
    )
    expect(bodyFor('payout.paid', 'discord', { partnerName }).content).toBe(
      'Paid $124.00 to \\<!channel\\> \\@everyone \\[x\\]\\(https://evil.example\\) \\*&',
    )
  })

  test('fits what Slack and Discord accept, with the longest address that a partner can choose', () => {
    const base = 'https://shop.example/?'
    const destinationUrl = base + '&_'.repeat((MAX_URL_LENGTH - base.length) / 2)
    const event = exampleEvent('link.created')
    const long = { ...event, data: { ...event.data, destinationUrl } } as typeof event
    const [slack, discord] = (['slack', 'discord'] as const).map((format) =>
      JSON.parse(bodyOf({ event: long, format, ...names })),
    )
    expect(slack.blocks[0].text.text.length).toBeLessThanOrEqual(3_000)
    expect(discord.content.length).toBeLessThanOrEqual(2_000)
    expect(discord.embeds[0].description.length).toBeLessThanOrEqual(4_096)
  })
})
