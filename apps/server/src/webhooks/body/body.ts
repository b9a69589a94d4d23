import type { PublishedEvent, WebhookFormat } from '@tributary/contract'
import { discordMessage } from './discord.ts'
import { sentenceOf } from './sentences.ts'
import { slackMessage } from './slack.ts'

type Content = {
  event: PublishedEvent
  /** Only for endpoints that ask for customer data. */
  customer: Record<string, unknown> | null
  format: WebhookFormat
  programName: string
  partnerName: string | null
}

/** What an endpoint gets: the event itself, or a message about it for people. */
export const bodyOf = ({ event, customer, format, ...names }: Content) => {
  const data = customer ? { ...event.data, customer } : event.data
  if (format === 'standard') return JSON.stringify({ ...event, data })
  const message = sentenceOf(event, names)
  return JSON.stringify(format === 'slack' ? slackMessage(message) : discordMessage(message))
}
