import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { signUpPage } from '../pages/sign-up.ts'
import { findPlan } from '../plans.ts'
import { type App, type Dependencies, readContext, readField, SESSION_COOKIE } from './context.ts'

export const signUp = (app: App, dependencies: Dependencies) => {
  const { customers, referrals } = dependencies

  app.get('/sign-up', (c) => {
    const context = readContext(c, dependencies)
    if (context.customer) return c.redirect('/account', 303)
    return c.html(signUpPage(context, { plan: findPlan(c.req.query('plan')) }))
  })

  app.post('/sign-up', async (c) => {
    const [name, email, planId] = [await readField(c, 'name'), await readField(c, 'email'), await readField(c, 'plan')]
    const showProblem = (problem: string) =>
      c.html(signUpPage(readContext(c, dependencies), { plan: findPlan(planId), name, email, problem }), 422)
    if (!name || !/^\S+@\S+$/.test(email)) return showProblem('Enter your name and a valid email address.')
    const customer = customers.signUp({ name, email })
    if (!customer) return showProblem('An account with this email already exists.')
    // The cookie holds the visitor's click. From here on, the customer ID identifies them.
    await referrals.reportLead(customer, c.req.header('cookie'))
    setCookie(c, SESSION_COOKIE, customers.signIn(customer.id), { httpOnly: true, sameSite: 'Lax', path: '/' })
    return c.redirect(findPlan(planId) ? `/checkout?plan=${planId}` : '/account', 303)
  })

  app.post('/sign-out', (c) => {
    customers.signOut(getCookie(c, SESSION_COOKIE) ?? '')
    deleteCookie(c, SESSION_COOKIE, { path: '/' })
    return c.redirect('/', 303)
  })
}
