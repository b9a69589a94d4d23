import type { FoundRow } from '@tributary/contract'

const SHOWN = 5

const keyOf = (user: string, programId: number) => `tributary:recent:${user}:${programId}`

const isRow = (row: unknown): row is FoundRow =>
  typeof row === 'object' && row !== null && 'kind' in row && 'id' in row && 'title' in row

/** What the user last opened from the command palette in this browser. */
export const recentRows = (user: string, programId: number): FoundRow[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user, programId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRow) : []
  } catch {
    return [] // storage is blocked or damaged
  }
}

export const rememberRow = (user: string, programId: number, row: FoundRow) => {
  const others = recentRows(user, programId).filter(({ kind, id }) => kind !== row.kind || id !== row.id)
  try {
    localStorage.setItem(keyOf(user, programId), JSON.stringify([row, ...others].slice(0, SHOWN)))
  } catch {}
}
