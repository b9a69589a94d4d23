import { html } from 'hono/html'
import { money, page } from '../../pages/layout.ts'
import type { Fake } from '../create-fake.ts'
import type { DisputeStep, Payment } from '../fake.ts'
import type { Checkout } from './checkouts.ts'
import type { Sent } from './sender.ts'

export const checkoutPage = ({ purchase }: Checkout) => {
  const { product, priceCents, currency, mode, email } = purchase
  const total = money(priceCents, currency)
  return page(
    'Checkout',
    html`<h1>Checkout</h1>
      <div class="card">
        <div>${product}</div>
        <div class="price">${total}${mode === 'subscription' ? html` <small>per month</small>` : ''}</div>
        <div class="soft">${email}</div>
      </div>
      <form method="post" class="stack">
        <button class="main" name="how" value="card">Pay ${total}</button>
        <button name="how" value="cancel">Cancel</button>
      </form>`,
    { narrow: true },
  )
}

export const closedPage = ({ cancelUrl }: Checkout) =>
  page(
    'Checkout',
    html`<h1>This checkout is closed</h1><p>It is already complete. <a href="${cancelUrl}">Back to the shop</a></p>`,
    { narrow: true },
  )

/** Lists every payment with its next possible actions. */
export const controlPage = (fake: Fake, log: Sent[], notice: string | null) =>
  page(
    'Payments',
    html`<h1>Payments</h1>
      <p class="soft">Every action here sends signed webhooks to the merchant’s endpoints, as ${LABELS[fake.name]} does.</p>
      ${notice ? html`<p role="status" class="card">${notice}</p>` : ''}
      ${fake.payments().length === 0 ? html`<p class="card">No payments yet. Buy something in the shop.</p>` : ''}
      ${fake
        .payments()
        .reverse()
        .map((payment) => paymentCard(fake, payment))}
      <h2>Webhooks</h2>
      ${log.length === 0 ? html`<p class="soft">No webhooks sent yet.</p>` : ''}
      <div class="stack">${log.map(sentRow).slice(-60).reverse()}</div>`,
  )

export const LABELS: Record<Fake['name'], string> = {
  paddle: 'Paddle',
  lemonsqueezy: 'Lemon Squeezy',
  polar: 'Polar',
  dodo: 'Dodo Payments',
}

const STEP_LABELS: Record<DisputeStep, string> = {
  opened: 'Open dispute',
  won: 'Win dispute',
  lost: 'Lose dispute',
  accepted: 'Accept dispute',
  cancelled: 'Cancel dispute',
  expired: 'Let dispute expire',
  challenged: 'Challenge dispute',
  warned: 'Send dispute warning',
  warning_closed: 'Close dispute warning',
  prevented: 'Prevent dispute',
}

const paymentCard = (fake: Fake, payment: Payment) => {
  const { name, currency, amounts, refunded, product, reason, mode } = payment
  const leftCents = amounts.totalCents - refunded.totalCents
  const isActive = mode === 'subscription' && !fake.hasEnded(name)
  return html`<section class="card">
    <div class="row">
      <strong>${product}</strong> <span>${money(amounts.totalCents, currency)}</span>
      <span class="badge">${reason}</span>
      ${refunded.totalCents > 0 ? html`<span class="badge">${money(refunded.totalCents, currency)} refunded</span>` : ''}
    </div>
    <p><code>${Object.values(fake.namesOf(name))[0]}</code> <small>${payment.email}</small></p>
    <div class="row">
      ${leftCents > 0 ? button('refund', name, 'Refund remaining') : ''}
      ${leftCents > 1 ? button('refund', name, 'Refund half', String(Math.floor(leftCents / 2))) : ''}
      ${isActive ? [button('renew', name, 'Renew'), button('upgrade', name, 'Upgrade'), button('end', name, 'End subscription')] : ''}
      ${leftCents > 0 ? fake.disputeStepsOf(payment).map((step) => button('dispute', name, STEP_LABELS[step], step)) : ''}
    </div>
  </section>`
}

const button = (action: string, name: string, label: string, value = '') =>
  html`<form method="post" action="/control/${action}"><input type="hidden" name="name" value="${name}"><button name="value" value="${value}">${label}</button></form>`

const sentRow = ({ delivery, url, status, attempts }: Sent, index: number) =>
  html`<div class="row"><span class="badge">${status ?? '…'}${attempts > 1 ? ` after ${attempts} attempts` : ''}</span> <span>${delivery.type}</span> <small><code>${url}</code></small> ${button('resend', String(index), 'Resend')}</div>`
