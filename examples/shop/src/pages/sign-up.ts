import { html } from 'hono/html'
import type { Plan } from '../plans.ts'
import { type PageContext, page } from './layout.ts'

type Filled = { plan: Plan | undefined; name?: string; email?: string; problem?: string }

export const signUpPage = (context: PageContext, { plan, name = '', email = '', problem }: Filled) =>
  page(
    context,
    'Sign up · Quillet',
    html`<section class="narrow">
      <h1>Sign up</h1>
      <p>${plan ? `One more step before ${plan.name}.` : 'All you need is a name and an email address.'} This is a demo, so there is no password.</p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
      <form method="post" action="/sign-up">
        ${plan ? html`<input type="hidden" name="plan" value="${plan.id}">` : ''}
        <label>Name <input name="name" autocomplete="name" required maxlength="80" value="${name}"></label>
        <label>Email <input name="email" type="email" autocomplete="email" required maxlength="200" value="${email}"></label>
        <button class="button">Create account</button>
      </form>
    </section>`,
  )
