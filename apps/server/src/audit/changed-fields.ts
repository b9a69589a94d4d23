type Fields = Record<string, unknown>

/** Before and after of an entry: the fields that differ and no others. Undefined is no change. Null where nothing changed. */
export const changedFields = (before: Fields, after: Fields) => {
  const isChanged = (name: string) =>
    after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const names = Object.keys(after).filter(isChanged)
  if (names.length === 0) return null
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { before: only(before), after: only(after) }
}
