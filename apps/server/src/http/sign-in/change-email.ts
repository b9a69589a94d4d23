import { changeEmailRequest, confirmEmailRequest } from '@tributary/contract'
import {
  changeEmailUnproven,
  continueEmailChange,
  requestEmailChange,
  requireChangeableEmail,
} from '../../accounts/operations/change-email.ts'
import { readTwoFactor } from '../../accounts/two-factor-settings.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readJson } from '../read-json.ts'
import { requireCode, requirePassword } from './confirm-user.ts'
import { requireSession } from './require-session.ts'

const PATH = '/api/auth/change-email'

/** Changes the signed-in user's address: through both addresses, or with the password where no mail server is set up. */
export const changeEmail = (app: App, dependencies: Dependencies) => {
  const { db, limits, mailer, portalUrl } = dependencies
  // The links need the session, whose cookie belongs to the host that the person uses.
  const servicesOf = (c: Call) => {
    const isPortal = new URL(c.req.url).host === new URL(portalUrl).host
    return { ...dependencies, baseUrl: isPortal ? portalUrl : dependencies.baseUrl }
  }
  for (const path of [PATH, `${PATH}/confirm`]) {
    app.use(path, requireSession(dependencies))
    // Limited like sign-in, because passwords could be guessed and addresses tried.
    app.use(path, (c, next) => {
      limits.signIn(c.get('clientIp'))
      return next()
    })
  }

  app.post(PATH, async (c) => {
    const { email, password, code } = check(changeEmailRequest, await readJson(c))
    const user = c.get('user')
    if (email === user.email.toLowerCase())
      throw new Refusal('invalid_request', '`email` must differ from the current address of your account.', {
        field: 'email',
      })
    await requireChangeableEmail(db, user)
    const hasPassword = await requirePassword(c, dependencies, password)
    const { enabled } = await readTwoFactor(db, user.id)
    if (enabled && code === undefined)
      throw new Refusal('invalid_request', '`code` is required: your account has two-factor sign-in.', {
        field: 'code',
      })
    if (enabled) await requireCode(c, dependencies, code)
    if (mailer) return c.json({ data: await requestEmailChange({ ...servicesOf(c), mailer }, { user, email }) })
    if (!hasPassword) throw new Refusal('conflict', 'Your account has no password, so the change can’t be confirmed.')
    return c.json({ data: await changeEmailUnproven(dependencies, { user, email }) })
  })

  // A POST: opening the link, which mail scanners do too, changes nothing.
  app.post(`${PATH}/confirm`, async (c) => {
    const { token } = check(confirmEmailRequest, await readJson(c))
    if (!mailer) throw new Refusal('not_found', 'This service can’t send email, so it has sent no link.')
    const user = c.get('user')
    await requireChangeableEmail(db, user)
    return c.json({ data: await continueEmailChange({ ...servicesOf(c), mailer }, { user, token }) })
  })
}
