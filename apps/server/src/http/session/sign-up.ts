import { signUpRequest } from '@tributary/contract'
import { admitSignUp } from '../../accounts/sign-up.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readOptionalJson } from '../read-json.ts'
import { asRefusal } from './accounts.ts'

/** POST /api/auth/sign-up/email: an account, and the session of who has just got it. */
export const signUps = (app: App, { db, limits, signUp, openSignup }: Dependencies) =>
  app.post('/api/auth/sign-up/email', async (c) => {
    // A password is hashed for each, which costs more than anything else that strangers can ask for.
    limits.signIn(c.get('clientIp'))
    const body = await readOptionalJson(c)
    const account = { ...body, ...check(signUpRequest, body) }
    // The story asks as well; here it saves the hashing for who may not enter.
    await asRefusal(admitSignUp(db, { user: account, body, openSignup }))
    const { response, headers } = await asRefusal(signUp({ account, headers: c.req.raw.headers }))
    return withCookies(c, headers).json(response)
  })

/** The session that the library has begun is the caller's from here on. */
export const withCookies = (c: Call, headers: Headers) => {
  for (const cookie of headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
  return c
}
