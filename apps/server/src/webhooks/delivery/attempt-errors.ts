import { WEBHOOK_TIMEOUT_SECONDS } from '@tributary/contract'
import { isSuccess } from './schedule.ts'

/** Why an attempt got no response, by the code that is stored. */
const ERRORS = {
  address_refused:
    'The address is private, reserved or uses a port other than 80 and 443. An operator can allow it with WEBHOOK_ALLOW_HOSTS.',
  name_not_found: 'The host name could not be resolved.',
  connection_refused: 'The endpoint refused the connection.',
  connection_failed: 'The connection failed.',
  tls_failed: 'The TLS certificate is not valid for this address.',
  timeout: `The endpoint did not respond within ${WEBHOOK_TIMEOUT_SECONDS} seconds.`,
  not_sent: 'The request could not be sent to this address.',
  event_expired: 'The event has expired and can no longer be sent.',
  secret_unreadable: 'The signing secret cannot be read. Rotate it.',
}
export type AttemptError = keyof typeof ERRORS

const isKnown = (error: string): error is AttemptError => error in ERRORS

/** Null if the attempt succeeded. */
export const explainAttempt = ({ status, error }: { status: number | null; error: string | null }) => {
  if (error !== null) return isKnown(error) ? ERRORS[error] : 'The attempt failed.'
  if (status === null || isSuccess(status)) return null
  if (status >= 300 && status < 400) return `The endpoint responded with ${status}. Redirects are not followed.`
  return status === 410
    ? 'The endpoint responded with 410 (gone), so it was disabled.'
    : `The endpoint responded with ${status}. Only 2xx counts as delivered.`
}
