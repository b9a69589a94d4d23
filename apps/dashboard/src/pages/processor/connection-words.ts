import type { ProcessorConnection } from '@tributary/contract'

export const CONNECTION_WORDS: Record<ProcessorConnection['status'], string> = {
  not_connected: 'No secret is stored yet.',
  pending: 'Waiting for the first event with a good signature. Send a test event from the Stripe dashboard.',
  connected: 'Events arrive with a good signature.',
  restricted: 'Stripe has restricted the account. Look at its dashboard for what it asks for.',
  disconnected: 'The account was disconnected. Connect it again to go on.',
}
