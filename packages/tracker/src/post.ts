import { log, settings } from './settings.ts'
import type { SignupAnswer } from './types.ts'

type Answer = SignupAnswer & { cookie_window_days: number }

/** Browsers limit keepalive bodies to 64 KB, and a character may take three bytes. */
const KEEPALIVE_CHARACTERS = 2e4

/** Sends text/plain, which needs no preflight, with keepalive, so that it arrives even if the page is left. Undefined means retry. */
const call = async (path: string, fields: Record<string, unknown>) => {
  try {
    const body = JSON.stringify(fields)
    const response = await fetch(`${settings.base}api/v1/track/${path}`, {
      method: 'POST',
      body,
      keepalive: body.length < KEEPALIVE_CHARACTERS,
    })
    // 429 and above can be retried. Anything below is final, even if a proxy answered with HTML.
    const answer = await response.json().catch(() => ({}))
    log((answer.error || answer).message || JSON.stringify(answer))
    if (response.status < 429) return answer
  } catch (error) {
    log(error)
  }
}

/** Times out after ten seconds. If the call arrives anyway, the service recognizes the retry. */
export const post = (path: string, fields: Record<string, unknown>): Promise<Answer | undefined> =>
  Promise.race([call(path, fields), new Promise<undefined>((resolve) => setTimeout(resolve, 1e4))])
