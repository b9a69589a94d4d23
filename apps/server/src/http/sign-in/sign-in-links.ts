import { confirmLinkRequest, requestLinkRequest } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readJson } from '../read-json.ts'
import { callLibrary, jsonOf, signInAnswer } from './call-library.ts'

const PATH = '/api/auth/sign-in/link'

/** Sign-in by email link. Rate-limited with the other routes under /api/auth/sign-in. */
export const signInLinks = (app: App, { auth, mailer }: Dependencies) => {
  for (const path of [PATH, `${PATH}/confirm`])
    app.use(path, (c, next) => {
      if (mailer || c.req.method !== 'POST') return next()
      throw new Refusal(
        'not_found',
        'This service can’t send email because no mail server is set up. Sign in with your password.',
      )
    })

  app.post(PATH, async (c) => {
    const body = check(requestLinkRequest, await readJson(c))
    await jsonOf(await callLibrary(c, auth, { path: 'sign-in/magic-link', body }))
    return c.json({ status: true })
  })

  // A POST: opening the link, which mail scanners do too, does not use it up.
  app.post(`${PATH}/confirm`, async (c) => {
    const { token } = check(confirmLinkRequest, await readJson(c))
    const { origin } = new URL(c.req.url)
    const address = `${origin}/api/auth/magic-link/verify?${new URLSearchParams({ token })}`
    const response = await asRefusal(auth.handler(new Request(address, { headers: c.req.raw.headers })))
    // The library reports a token that does not work with a redirect.
    if (response.status >= 300 && response.status < 400)
      throw new Refusal('not_found', 'This link has expired or was already used. Request a new one.')
    return signInAnswer(c, response)
  })
}
