import type { EventMessage } from './sentences.ts'

/** In Slack's markup, only these three characters have a meaning that escaping removes; mentions and links start with `<`. */
const escaped = (text: string) => cut(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Slack refuses sections of more than 3,000 characters, and escaping makes up to five of one. */
const MAX_TEXT = 280
const cut = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…`.toWellFormed() : text)

/** Accepted by Slack's incoming webhooks. `text` is what notifications show. */
export const slackMessage = ({ title, detail, footer }: EventMessage) => ({
  text: escaped(title),
  blocks: [
    { type: 'section', text: { type: 'mrkdwn', text: `*${escaped(title)}*${detail ? `\n${escaped(detail)}` : ''}` } },
    { type: 'context', elements: [{ type: 'plain_text', text: footer }] },
  ],
})
