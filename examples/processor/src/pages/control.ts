import { html } from 'hono/html'
import type { Delivery } from '../deliveries.ts'
import { type Payment, totalCents } from '../payment.ts'
import { paymentIdOf, type Store } from '../store.ts'
import { money, page } from './layout.ts'

/** Lists every payment with its next possible actions. */
export const controlPage = (store: Store, deliveries: Delivery[], notice: string | null) =>
  page(
    'Payments',
    html`<h1>Payments</h1>
      <p class="soft">Every action here sends signed webhooks to the merchant’s endpoints.</p>
      ${notice ? html`<p role="status" class="card">${notice}</p>` : ''}
      ${store.payments.size === 0 ? html`<p class="card">No payments yet. Buy something in the shop.</p>` : ''}
      ${[...store.payments.values()].reverse().map((payment) => paymentCard(store, payment))}
      <h2>Webhooks</h2>
      ${deliveries.length === 0 ? html`<p class="soft">No webhooks sent yet.</p>` : ''}
      <div class="stack">${deliveries.slice(-60).reverse().map(deliveryRow)}</div>`,
  )

const paymentCard = (store: Store, payment: Payment) => {
  const { currency, refundedCents, status, product, ids } = payment
  const id = paymentIdOf(payment)
  const left = totalCents(payment) - refundedCents
  const open = [...store.disputes.values()].filter(
    (dispute) => dispute.paymentId === id && dispute.status === 'needs_response',
  )
  const hasSubscription = ids.subscription && status === 'paid' && !store.endedSubscriptions.has(ids.subscription)
  return html`<section class="card">
    <div class="row">
      <strong>${product}</strong> <span>${money(totalCents(payment), currency)}</span>
      <span class="badge">${payment.kind === 'renewal' ? 'renewal, ' : ''}${status}</span>
      ${refundedCents > 0 ? html`<span class="badge">${money(refundedCents, currency)} refunded</span>` : ''}
    </div>
    <p><code>${id}</code> <small>${payment.email ?? ''}</small></p>
    <div class="row">
      ${status === 'processing' ? [button('settle', id, 'Confirm payment', 'succeeds'), button('settle', id, 'Decline payment', 'fails')] : ''}
      ${status === 'paid' && left > 0 ? [button('refund', id, 'Refund remaining'), left > 1 ? button('refund', id, 'Refund half', String(Math.floor(left / 2))) : ''] : ''}
      ${hasSubscription ? [button('renew', ids.subscription ?? '', 'Renew'), button('end', ids.subscription ?? '', 'Cancel subscription')] : ''}
      ${status === 'paid' && ids.charge && open.length === 0 ? button('dispute', id, 'Open dispute') : ''}
      ${open.map((dispute) => [button('close-dispute', dispute.id, 'Win dispute', 'won'), button('close-dispute', dispute.id, 'Lose dispute', 'lost')])}
    </div>
  </section>`
}

const button = (action: string, id: string, label: string, value = '') =>
  html`<form method="post" action="/control/${action}"><input type="hidden" name="id" value="${id}"><button name="value" value="${value}">${label}</button></form>`

const deliveryRow = ({ eventId, type, url, status, attempts }: Delivery) =>
  html`<div class="row"><span class="badge">${status ?? '…'}${attempts > 1 ? ` after ${attempts} attempts` : ''}</span> <span>${type}</span> <small><code>${url}</code></small> ${button('resend', eventId, 'Resend')}</div>`
