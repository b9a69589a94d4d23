import type { Program, ProgramProcessor } from '@tributary/contract'

export const isConnected = ({ status }: ProgramProcessor) => status !== 'not_connected' && status !== 'disconnected'

type Mode = Program['paymentTrackingMode']

/** A program whose server reports sales needs no connection. */
export const connectionText = ({ status, label, setUp }: ProgramProcessor, mode: Mode) => {
  if (status === 'not_connected')
    return mode === 's2s'
      ? `Optional: your server already reports sales. If you also connect ${label}, send its invoice or payment ID with each sale. Otherwise, sales are counted twice.`
      : `No ${setUp.createsEndpoint ? 'API key or ' : ''}${setUp.secret.label.toLowerCase()} saved yet.`
  return {
    pending: `Waiting for the first signed event. Make a payment, or send a test event if ${label} offers that. If it stays pending, check the URL and the ${setUp.secret.label.toLowerCase()}.`,
    connected: 'Receiving signed events.',
    restricted: `${label} has restricted this account. Check ${setUp.place} for required actions.`,
    disconnected: 'The account was disconnected. Reconnect it to resume tracking.',
  }[status]
}
