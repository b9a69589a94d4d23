type Shape = string | { [key: string]: Shape } | [Shape] | []

/** Reads `{ id:s items:[{ price:n }] }`: s string, n number, b boolean, `?` unknown, `*` any object. */
const parse = (notation: string): Shape => {
  const tokens = notation.match(/\{|\}|\[|\]|[\w-]+:|[snb*?]+/g) ?? []
  let next = 0
  const read = (): Shape => {
    const token = tokens[next++] ?? ''
    if (token === '[') {
      if (tokens[next] === ']') {
        next += 1
        return []
      }
      const item = read()
      next += 1
      return [item]
    }
    if (token !== '{') return token
    const shape: { [key: string]: Shape } = {}
    while (tokens[next] !== '}') {
      const key = (tokens[next++] ?? '').slice(0, -1)
      shape[key] = read()
    }
    next += 1
    return shape
  }
  return read()
}

const LETTERS: Record<string, string> = { string: 's', number: 'n', boolean: 'b' }

/** Every difference, as `path: what`. Null is accepted everywhere, because samples do not show which fields are nullable. */
export const differences = (notation: string, event: unknown, documented: string[] = []) => {
  const found: string[] = []
  const compare = (shape: Shape, value: unknown, path: string) => {
    if (value === null || shape === '?' || shape === '*') return
    if (typeof shape === 'string') {
      if (!shape.includes(LETTERS[typeof value] ?? '-')) found.push(`${path}: ${typeof value}`)
    } else if (Array.isArray(shape)) {
      if (!Array.isArray(value)) found.push(`${path}: not a list`)
      else for (const item of value) if (shape[0] !== undefined) compare(shape[0], item, `${path}[]`)
    } else {
      const given = value as Record<string, unknown>
      for (const key of Object.keys(shape)) {
        if (key in given) compare(shape[key] ?? '?', given[key], `${path}.${key}`)
        else found.push(`${path}.${key}: missing`)
      }
      for (const key of Object.keys(given))
        if (!(key in shape) && !documented.includes(`${path}.${key}`)) found.push(`${path}.${key}: unknown`)
    }
  }
  compare(parse(notation), event, '')
  return found
}
