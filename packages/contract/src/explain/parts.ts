/** What a link of an explanation leads to: something with an ID, or one of the last three pages. */
export const LINK_TARGETS = ['partner', 'sale', 'lead', 'payout', 'settings', 'rewards', 'review'] as const
export type LinkTarget = (typeof LINK_TARGETS)[number]

/** A piece of a sentence. A reader that does not know a type can show its `text`. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'link'; text: string; to: LinkTarget; id: number | null }
  | { type: 'amount'; amountCents: number; currency: string }
  | { type: 'time'; at: string; timeZone: string; precision: 'day' | 'minute' }

type Said = string | number | Part | Part[]

/** Builds the parts of a sentence: say`${amount} was paid in payout ${payout}.` */
export const say = (texts: TemplateStringsArray, ...values: Said[]): Part[] =>
  texts.flatMap((text, index) => [...toParts(text), ...toParts(values[index] ?? '')]).reduce<Part[]>(joinText, [])

const toParts = (said: Said): Part[] => {
  if (Array.isArray(said)) return said
  if (typeof said === 'object') return [said]
  return said === '' ? [] : [{ type: 'text', text: String(said) }]
}

const joinText = (parts: Part[], part: Part): Part[] => {
  const last = parts.at(-1)
  if (last?.type !== 'text' || part.type !== 'text') return [...parts, part]
  return [...parts.slice(0, -1), { type: 'text', text: last.text + part.text }]
}
