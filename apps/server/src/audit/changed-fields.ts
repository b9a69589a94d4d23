type Fields = Record<string, unknown>

/** Returns only the fields that differ, or null if none do. An undefined value means "no change". */
export const changedFields = (before: Fields, after: Fields) => {
  const isChanged = (name: string) =>
    after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const names = Object.keys(after).filter(isChanged)
  if (names.length === 0) return null
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { before: only(before), after: only(after) }
}
