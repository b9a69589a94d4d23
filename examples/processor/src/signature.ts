import { createHmac } from 'node:crypto'

/** Stripe's scheme: an HMAC over timestamp and body. */
export const signatureHeader = (body: string, secret: string, at = Math.floor(Date.now() / 1000)) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
