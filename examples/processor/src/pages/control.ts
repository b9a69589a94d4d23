import { html } from 'hono/html'
import { type Books, paymentIdOf } from '../books.ts'
import type { Delivery } from '../deliveries.ts'
import { type Payment, totalCents } from '../payment.ts'
import { money, page } from './layout.ts'

/** Every payment with what can happen to it next, for a person who walks a referral through. */
export const controlPage = (books: Books, deliveries: Delivery[], notice: string | null) =>
  page(
    'Payments',
    html`<h1>Payments</h1>
      <p class="soft">What happens here is told to the merchant’s endpoints as signed webhooks.</p>
      ${notice ? html`<p role="status" class="card">${notice}</p>` : ''}
      ${books.payments.size === 0 ? html`<p class="card">No payment yet. Buy something in the shop.</p>` : ''}
      ${[...books.payments.values()].reverse().map((payment) => paymentCard(books, payment))}
      <h2>Webhooks</h2>
      ${deliveries.length === 0 ? html`<p class="soft">Nothing was sent yet.</p>` : ''}
      <div class="stack">${deliveries.slice(-60).reverse().map(deliveryRow)}</div>`,
  )

const paymentCard = (books: Books, payment: Payment) => {
  const { currency, refundedCents, status, product, ids } = payment
  const id = paymentIdOf(payment)
  const left = totalCents(payment) - refundedCents
  const open = [...books.disputes.values()].filter(
    (dispute) => dispute.paymentId === id && dispute.status === 'needs_response',
  )
  const hasSubscription = ids.subscription && status === 'paid' && !books.endedSubscriptions.has(ids.subscription)
  return html`<section class="card">
    <div class="row">
      <strong>${product}</strong> <span>${money(totalCents(payment), currency)}</span>
      <span class="badge">${payment.kind === 'renewal' ? 'renewal, ' : ''}${status}</span>
      ${refundedCents > 0 ? html`<span class="badge">${money(refundedCents, currency)} refunded</span>` : ''}
    </div>
    <p><code>${id}</code> <small>${payment.email ?? ''}</small></p>
    <div class="row">
      ${status === 'processing' ? [button('settle', id, 'The bank pays', 'succeeds'), button('settle', id, 'The bank refuses', 'fails')] : ''}
      ${status === 'paid' && left > 0 ? [button('refund', id, 'Refund the rest'), left > 1 ? button('refund', id, 'Refund half', String(Math.floor(left / 2))) : ''] : ''}
      ${hasSubscription ? [button('renew', ids.subscription ?? '', 'Renew'), button('end', ids.subscription ?? '', 'End subscription')] : ''}
      ${status === 'paid' && ids.charge && open.length === 0 ? button('dispute', id, 'Dispute') : ''}
      ${open.map((dispute) => [button('close-dispute', dispute.id, 'Dispute won', 'won'), button('close-dispute', dispute.id, 'Dispute lost', 'lost')])}
    </div>
  </section>`
}

const button = (action: string, id: string, label: string, value = '') =>
  html`<form method="post" action="/control/${action}"><input type="hidden" name="id" value="${id}"><button name="value" value="${value}">${label}</button></form>`

const deliveryRow = ({ eventId, type, url, status, attempts }: Delivery) =>
  html`<div class="row"><span class="badge">${status ?? '…'}${attempts > 1 ? ` after ${attempts}` : ''}</span> <span>${type}</span> <small><code>${url}</code></small> ${button('resend', eventId, 'Send again')}</div>`
