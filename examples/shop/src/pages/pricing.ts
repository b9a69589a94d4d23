import { html } from 'hono/html'
import { formatPrice, PLANS, type Plan } from '../plans.ts'
import { type PageContext, page } from './layout.ts'

export const pricingPage = (context: PageContext) =>
  page(
    context,
    'Pricing · Quillet',
    html`<h1>Three plans, no surprises</h1>
      <section class="three">${PLANS.map(planCard)}</section>`,
  )

const planCard = (plan: Plan) => html`<article class="plan">
  <h2>${plan.name}</h2>
  <p class="price">${formatPrice(plan)} <small>${plan.mode === 'subscription' ? 'a month' : 'once'}</small></p>
  <p>${plan.pitch}</p>
  <ul>${plan.points.map((point) => html`<li>${point}</li>`)}</ul>
  <form method="post" action="/checkout">
    <button class="button" name="plan" value="${plan.id}">Choose ${plan.name}</button>
  </form>
</article>`
