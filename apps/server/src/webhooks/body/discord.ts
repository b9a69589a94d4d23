import type { EventMessage } from './sentences.ts'

const escaped = (text: string) => text.replace(/[\\*_~`|>#[\]()<@-]/g, '\\$&')

/** Accepted by Discord's webhooks. Names must not mention anyone. */
export const discordMessage = ({ title, detail, footer }: EventMessage) => ({
  content: escaped(title),
  embeds: [{ description: escaped(detail || title), footer: { text: footer } }],
  allowed_mentions: { parse: [] },
})
