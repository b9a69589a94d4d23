import { log, settings } from './settings.ts'
import type { SignupAnswer } from './types.ts'

type Answer = SignupAnswer & { cookie_window_days: number }

/** What a browser lets out although the page is left is 64 KB, and a letter may take three bytes. */
const KEEPALIVE_LETTERS = 2e4

/** A text needs no preflight, and keepalive lets it arrive although the page is left. Nothing means: to be sent again. */
const call = async (path: string, fields: Record<string, unknown>) => {
  try {
    const body = JSON.stringify(fields)
    const response = await fetch(`${settings.base}api/v1/track/${path}`, {
      method: 'POST',
      body,
      keepalive: body.length < KEEPALIVE_LETTERS,
    })
    // 429 and up: too many calls, or trouble over there. Anything below is final, even if a proxy said it in HTML.
    const answer = await response.json().catch(() => ({}))
    log((answer.error || answer).message || JSON.stringify(answer))
    if (response.status < 429) return answer
  } catch (error) {
    log(error)
  }
}

/** Whoever has not answered after ten seconds has not answered. Should it arrive nevertheless, the service knows it again. */
export const post = (path: string, fields: Record<string, unknown>): Promise<Answer | undefined> =>
  Promise.race([call(path, fields), new Promise<undefined>((resolve) => setTimeout(resolve, 1e4))])
