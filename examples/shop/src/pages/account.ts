import { html } from 'hono/html'
import type { Customer, Order } from '../customers.ts'
import { formatPrice, type Plan } from '../plans.ts'
import { type PageContext, page } from './layout.ts'

const STATES: Record<Order['state'], string> = {
  paid: 'Paid',
  pending: 'Waiting for your bank',
  refunded: 'Refunded',
}

export const accountPage = (context: PageContext, customer: Customer) =>
  page(
    context,
    'Your account · Quillet',
    html`<h1>Hello, ${customer.name}</h1>
      <p>${customer.email}<br><small>Customer <code>${customer.id}</code></small></p>
      <h2>Orders</h2>
      ${customer.orders.length === 0 ? html`<p>No orders yet. <a href="/pricing">See plans.</a></p>` : ''}
      <ul class="orders">${customer.orders.map((order) => orderRow(context, order))}</ul>
      <form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`,
  )

const orderRow = ({ config }: PageContext, order: Order) => html`<li>
  <div><strong>${order.plan.name}</strong> ${formatPrice(order.plan)} <span class="state">${STATES[order.state]}</span></div>
  <code>${order.id}</code>
  ${
    config.payments === 'server' && order.state === 'paid'
      ? html`<form method="post" action="/refund"><button class="quiet" name="order" value="${order.id}">Request refund</button></form>`
      : ''
  }
</li>`

export const thanksPage = (context: PageContext, order: Order) =>
  page(
    context,
    'Thank you · Quillet',
    html`<section class="narrow">
      <h1>Thank you!</h1>
      <p>${
        order.state === 'paid'
          ? `${order.plan.name} is yours.`
          : `${order.plan.name} is yours as soon as your bank confirms the payment.`
      }</p>
      <p><small>Order <code>${order.id}</code></small></p>
      <p><a class="button" href="/account">Go to your account</a></p>
    </section>`,
  )

/** The shop's own checkout, for server-side sale tracking. */
export const ownCheckoutPage = (context: PageContext, plan: Plan) =>
  page(
    context,
    'Checkout · Quillet',
    html`<section class="narrow">
      <h1>Checkout</h1>
      <p>Quillet ${plan.name}</p>
      <p class="price">${formatPrice(plan)} <small>${plan.mode === 'subscription' ? 'a month' : 'once'}</small></p>
      <form method="post" action="/pay"><button class="button" name="plan" value="${plan.id}">Pay ${formatPrice(plan)}</button></form>
      <p><a class="quiet" href="/pricing">Back</a></p>
    </section>`,
  )
