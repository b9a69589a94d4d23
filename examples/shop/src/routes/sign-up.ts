import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { signUpPage } from '../pages/sign-up.ts'
import { planNamed } from '../plans.ts'
import { type App, type Dependencies, field, frameOf, SESSION_COOKIE } from './context.ts'

export const signUp = (app: App, dependencies: Dependencies) => {
  const { customers, referrals } = dependencies

  app.get('/sign-up', (c) => {
    const frame = frameOf(c, dependencies)
    if (frame.customer) return c.redirect('/account', 303)
    return c.html(signUpPage(frame, { plan: planNamed(c.req.query('plan')) }))
  })

  app.post('/sign-up', async (c) => {
    const [name, email, planId] = [await field(c, 'name'), await field(c, 'email'), await field(c, 'plan')]
    const again = (problem: string) =>
      c.html(signUpPage(frameOf(c, dependencies), { plan: planNamed(planId), name, email, problem }), 422)
    if (!name || !/^\S+@\S+$/.test(email)) return again('A name and an e-mail address, please.')
    const customer = customers.signUp({ name, email })
    if (!customer) return again('Somebody has signed up with this address before.')
    // The visitor's click comes with the request as a cookie; from here on the customer's own ID stands for it.
    await referrals.signedUp(customer, c.req.header('cookie'))
    setCookie(c, SESSION_COOKIE, customers.signIn(customer.id), { httpOnly: true, sameSite: 'Lax', path: '/' })
    return c.redirect(planNamed(planId) ? `/checkout?plan=${planId}` : '/account', 303)
  })

  app.post('/sign-out', (c) => {
    customers.signOut(getCookie(c, SESSION_COOKIE) ?? '')
    deleteCookie(c, SESSION_COOKIE, { path: '/' })
    return c.redirect('/', 303)
  })
}
