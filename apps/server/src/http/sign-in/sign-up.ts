import { signUpRequest } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import { mayBeFirst } from '../../accounts/first-account.ts'
import { admitSignUp, invitingWorkspace } from '../../accounts/sign-up.ts'
import { releaseClaimed } from '../../partners/operations/partner-access.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readOptionalJson } from '../read-json.ts'

/** POST /api/auth/sign-up/email: creates an account and its session. */
export const signUps = (app: App, dependencies: Dependencies) => {
  const { db, limits, signUp, openSignup, setupToken, baseUrl } = dependencies
  app.post('/api/auth/sign-up/email', async (c) => {
    // Hashing a password is the most expensive thing an anonymous caller can trigger.
    limits.signIn(c.get('clientIp'))
    const body = await readOptionalJson(c)
    // Only fields of the contract reach better-auth, which has more, such as a redirect URL.
    const { setupToken: given, ...account } = check(signUpRequest, body)
    const caller = { clientIp: c.get('clientIp'), headers: c.req.raw.headers }
    const isFirstAllowed = mayBeFirst(caller, { given, token: setupToken, baseUrl })
    // Checked again in the transaction; checking here first avoids hashing the password.
    await asRefusal(admitSignUp(db, { user: account, body: account, openSignup, mayBeFirst: isFirstAllowed }))
    const workspaceId = await invitingWorkspace(db, account)
    // Member invitation links are always shown, so they do not prove the address.
    const release = workspaceId === null ? undefined : releaseClaimed(dependencies, { workspaceId, onlyMailed: false })
    const { response, headers } = await asRefusal(
      signUp({ account, headers: caller.headers, mayBeFirst: isFirstAllowed, ...(release && { release }) }),
    )
    return withCookies(c, headers).json(response)
  })
}

/** Passes better-auth's session cookies on to the caller. */
export const withCookies = (c: Call, headers: Headers) => {
  for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
  return c
}
