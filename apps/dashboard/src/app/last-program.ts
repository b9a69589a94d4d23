const KEY = 'tributary:program'
const PORTAL_KEY = 'tributary:partnership'

const keep = (key: string, id: number) => {
  try {
    localStorage.setItem(key, String(id))
  } catch {}
}

const read = (key: string) => {
  try {
    return Number(localStorage.getItem(key))
  } catch {
    return 0 // storage is blocked
  }
}

/** Reopen the program the user worked in last. */
export const rememberProgram = (programId: number) => keep(KEY, programId)
export const lastProgram = () => read(KEY)

export const rememberPartnership = (programId: number) => keep(PORTAL_KEY, programId)
export const lastPartnership = () => read(PORTAL_KEY)
