const MARKUP = Symbol('markup')

/** Markup that is safe to send. Only `html` creates it, so a plain string cannot be mistaken for it. */
export type Html = { readonly [MARKUP]: string }

type Value = Html | string | number | null | undefined | readonly Value[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

export const markupOf = (value: Value): string => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return escaped(String(value))
  return MARKUP in value ? value[MARKUP] : value.map(markupOf).join('')
}

/** A template that escapes its values. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  [MARKUP]: parts.map((part, index) => part + markupOf(values[index])).join(''),
})

/** Turns `words in backticks`, as in the contract's descriptions, into code elements. */
export const prose = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
