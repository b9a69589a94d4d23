import { html } from 'hono/html'
import { type Payment, totalCents } from '../payment.ts'
import { money, page } from './layout.ts'

/** The hosted checkout page. */
export const checkoutPage = (payment: Payment) => {
  const { mode, currency, taxCents, product, quantity, email } = payment
  const total = money(totalCents(payment), currency)
  const each = mode === 'subscription' ? html` <small>per month</small>` : ''
  return page(
    'Checkout',
    html`<h1>Checkout</h1>
      <div class="card">
        <div>${quantity > 1 ? `${quantity} × ` : ''}${product}</div>
        <div class="price">${mode === 'setup' ? 'Nothing to pay now' : html`${total}${each}`}</div>
        ${taxCents > 0 ? html`<div class="soft">includes ${money(taxCents, currency)} tax</div>` : ''}
        ${email ? html`<div class="soft">${email}</div>` : ''}
      </div>
      <form method="post" class="stack">
        <button class="main" name="how" value="card">${mode === 'setup' ? 'Save card' : `Pay ${total}`}</button>
        ${mode === 'setup' ? '' : html`<button name="how" value="bank_debit">Pay by bank debit (settles later)</button>`}
        <button name="how" value="cancel">Cancel</button>
      </form>`,
    { narrow: true },
  )
}

export const closedPage = (payment: Payment) =>
  page(
    'Checkout',
    html`<h1>This checkout is closed</h1>
      <p>It ${payment.status === 'expired' ? 'has expired' : 'is already complete'}. ${
        payment.cancelUrl ? html`<a href="${payment.cancelUrl}">Back to the shop</a>` : ''
      }</p>`,
    { narrow: true },
  )
