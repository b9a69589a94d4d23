export type FormValue = string | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

/** Parses `line_items[0][price_data][currency]=usd` into nested objects; lists have numeric keys. */
export const readForm = (text: string): Form => {
  const form: Form = {}
  for (const [path, value] of new URLSearchParams(text)) put(form, namesOf(path), value)
  return form
}

const namesOf = (path: string) => {
  const [first = '', ...rest] = path.split('[')
  return [first, ...rest.map((name) => name.replace(/\]$/, ''))]
}

const put = (form: Form, [name = '', ...rest]: string[], value: string) => {
  // `expand[]=a&expand[]=b` takes the next free index.
  const key = name === '' ? String(Object.keys(form).length) : name
  if (['__proto__', 'constructor', 'prototype'].includes(key)) return
  if (rest.length === 0) {
    form[key] = value
    return
  }
  const inner = form[key]
  const next: Form = typeof inner === 'object' ? inner : {}
  form[key] = next
  put(next, rest, value)
}

export const text = (form: Form | undefined, name: string): string | null => {
  const value = form?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

export const part = (form: Form | undefined, name: string): Form | undefined => {
  const value = form?.[name]
  return typeof value === 'object' ? value : undefined
}

export const partsOf = (form: Form | undefined, name: string): Form[] =>
  Object.values(part(form, name) ?? {}).filter((value): value is Form => typeof value === 'object')

export const textsOf = (form: Form | undefined, name: string): string[] =>
  Object.values(part(form, name) ?? {}).filter((value): value is string => typeof value === 'string')

/** Key-value pairs such as metadata. On the wire, an empty value removes the key. */
export const pairsOf = (form: Form | undefined, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(part(form, name) ?? {}).flatMap(([key, value]) =>
      typeof value === 'string' && value !== '' ? [[key, value]] : [],
    ),
  )
