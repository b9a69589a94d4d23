const MARKUP = Symbol('markup')

/** Markup that is safe to send as it is. Only `html` makes it, so a plain string can never pass for it. */
export type Html = { readonly [MARKUP]: string }

type Value = Html | string | number | null | undefined | readonly Value[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

export const markupOf = (value: Value): string => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return escaped(String(value))
  return MARKUP in value ? value[MARKUP] : value.map(markupOf).join('')
}

/** A template whose values are escaped, whoever wrote them. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  [MARKUP]: parts.map((part, index) => part + markupOf(values[index])).join(''),
})

/** Prose in which `words between backticks` are code, as the descriptions of the contract write them. */
export const prose = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
