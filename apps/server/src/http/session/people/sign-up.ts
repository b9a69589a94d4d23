import { signUpRequest } from '@tributary/contract'
import { mayBeFirst } from '../../../accounts/first-account.ts'
import { admitSignUp, invitingWorkspace } from '../../../accounts/sign-up.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { releaseClaimed } from '../../partner-access.ts'
import { check, readOptionalJson } from '../../read-json.ts'
import { asRefusal } from './as-refusal.ts'

/** POST /api/auth/sign-up/email: an account, and the session of who has just got it. */
export const signUps = (app: App, dependencies: Dependencies) => {
  const { db, limits, signUp, openSignup, setupToken, baseUrl } = dependencies
  app.post('/api/auth/sign-up/email', async (c) => {
    // A password is hashed for each, which costs more than anything else that strangers can ask for.
    limits.signIn(c.get('clientIp'))
    const body = await readOptionalJson(c)
    // Only what the contract knows goes on to the library: it has fields of its own, such as an address to redirect to.
    const { setupToken: given, ...account } = check(signUpRequest, body)
    const caller = { clientIp: c.get('clientIp'), headers: c.req.raw.headers }
    const isFirstAllowed = mayBeFirst(caller, { given, token: setupToken, baseUrl })
    // The story asks as well; here it saves the hashing for who may not enter.
    await asRefusal(admitSignUp(db, { user: account, body: account, openSignup, mayBeFirst: isFirstAllowed }))
    const workspaceId = await invitingWorkspace(db, account)
    // Whoever invites a member sees the link.
    const release = workspaceId === null ? undefined : releaseClaimed(dependencies, { workspaceId, onlyMailed: false })
    const { response, headers } = await asRefusal(
      signUp({ account, headers: caller.headers, mayBeFirst: isFirstAllowed, ...(release && { release }) }),
    )
    return withCookies(c, headers).json(response)
  })
}

/** The session that the library has begun is the caller's from here on. */
export const withCookies = (c: Call, headers: Headers) => {
  for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
  return c
}
