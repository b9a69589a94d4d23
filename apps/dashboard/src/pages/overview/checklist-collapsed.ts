const keyOf = (programId: number) => `tributary:checklist:${programId}`

export const isChecklistCollapsed = (programId: number) => {
  try {
    return localStorage.getItem(keyOf(programId)) === 'collapsed'
  } catch {
    return false // storage is blocked
  }
}

export const keepChecklistCollapsed = (programId: number, isCollapsed: boolean) => {
  try {
    if (isCollapsed) localStorage.setItem(keyOf(programId), 'collapsed')
    else localStorage.removeItem(keyOf(programId))
  } catch {}
}
