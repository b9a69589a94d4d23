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
    return 0 // a browser that keeps nothing for this page
  }
}

/** Where somebody worked last is where they begin next time. */
export const rememberProgram = (programId: number) => keep(KEY, programId)
export const lastProgram = () => read(KEY)

/** The same for partners, in the portal. */
export const rememberPartnership = (programId: number) => keep(PORTAL_KEY, programId)
export const lastPartnership = () => read(PORTAL_KEY)
