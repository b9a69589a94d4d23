import { randomBytes } from 'node:crypto'

export type Admissions = ReturnType<typeof createAdmissions>

/**
 * Lets one e-mail address sign up although sign-up is closed: for partners, whom a route has judged already. It holds within
 * that one call only, so it lives in memory and needs no table.
 */
export const createAdmissions = () => {
  const open = new Map<string, string>()
  return {
    admits: (id: unknown, email: string) => typeof id === 'string' && open.get(id) === email.toLowerCase(),
    during: async <T>(email: string, signUp: (id: string) => Promise<T>): Promise<T> => {
      const id = randomBytes(24).toString('base64url')
      open.set(id, email.toLowerCase())
      try {
        return await signUp(id)
      } finally {
        open.delete(id)
      }
    },
  }
}
