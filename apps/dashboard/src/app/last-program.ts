const KEY = 'tributary:program'

/** Where somebody worked last is where they begin next time. */
export const rememberProgram = (programId: number) => {
  try {
    localStorage.setItem(KEY, String(programId))
  } catch {}
}

export const lastProgram = () => {
  try {
    return Number(localStorage.getItem(KEY))
  } catch {
    return 0 // a browser that keeps nothing for this page
  }
}
