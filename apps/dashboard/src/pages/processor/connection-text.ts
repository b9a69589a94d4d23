import type { ProcessorConnection } from '@tributary/contract'

export const CONNECTION_TEXT: Record<ProcessorConnection['status'], string> = {
  not_connected: 'No signing secret saved yet.',
  pending: 'Waiting for the first signed event. Send a test event from your Stripe dashboard.',
  connected: 'Receiving signed events.',
  restricted: 'Stripe has restricted this account. Check your Stripe dashboard for required actions.',
  disconnected: 'The account was disconnected. Reconnect it to resume tracking.',
}
