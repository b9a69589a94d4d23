import type { ProcessorConnection, Program } from '@tributary/contract'

type Mode = Program['paymentTrackingMode']

/** A program whose server reports sales needs no connection. */
export const connectionText = (status: ProcessorConnection['status'], mode: Mode) =>
  status === 'not_connected' && mode === 's2s'
    ? 'Optional: your server already reports sales. If you also connect Stripe, send Stripe’s invoice or payment ID with each sale. Otherwise, sales are counted twice.'
    : CONNECTION_TEXT[status]

const CONNECTION_TEXT: Record<ProcessorConnection['status'], string> = {
  not_connected: 'No signing secret saved yet.',
  pending: 'Waiting for the first signed event. Send a test event from your Stripe dashboard.',
  connected: 'Receiving signed events.',
  restricted: 'Stripe has restricted this account. Check your Stripe dashboard for required actions.',
  disconnected: 'The account was disconnected. Reconnect it to resume tracking.',
}
