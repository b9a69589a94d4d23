const keyOf = (list: string) => `tributary:columns:${list}`

/** The columns chosen in this browser; null for the usual ones. */
export const keptColumns = (list: string): string[] | null => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? 'null')
    return Array.isArray(kept) ? kept.map(String) : null
  } catch {
    return null // storage is blocked or damaged
  }
}

export const keepColumns = (list: string, headers: string[] | null) => {
  try {
    if (headers) localStorage.setItem(keyOf(list), JSON.stringify(headers))
    else localStorage.removeItem(keyOf(list))
  } catch {}
}
