import { attributionIn } from '../translating/attribution.ts'
import type { NamedCustomer } from '../translation.ts'

/** One Stripe account can sell for several programs, so its payments are credited only if they name the program. */
export const namedIn = (...sources: unknown[]): NamedCustomer | null => {
  const found = attributionIn(...sources)
  return found?.programId ? found : null
}
