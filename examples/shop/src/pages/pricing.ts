import { html } from 'hono/html'
import { PLANS, type Plan, priceOf } from '../plans.ts'
import { type Frame, page } from './layout.ts'

export const pricingPage = (frame: Frame) =>
  page(
    frame,
    'Pricing · Quillet',
    html`<h1>Three plans, no surprises</h1>
      <section class="three">${PLANS.map(planCard)}</section>`,
  )

const planCard = (plan: Plan) => html`<article class="plan">
  <h2>${plan.name}</h2>
  <p class="price">${priceOf(plan)} <small>${plan.mode === 'subscription' ? 'a month' : 'once'}</small></p>
  <p>${plan.pitch}</p>
  <ul>${plan.points.map((point) => html`<li>${point}</li>`)}</ul>
  <form method="post" action="/checkout">
    <button class="button" name="plan" value="${plan.id}">Choose ${plan.name}</button>
  </form>
</article>`
