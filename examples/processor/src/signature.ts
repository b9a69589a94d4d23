import { createHmac } from 'node:crypto'

/** The processor's scheme: the moment and the body under the endpoint's secret, so that neither can be changed. */
export const signatureHeader = (body: string, secret: string, at = Math.floor(Date.now() / 1000)) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
