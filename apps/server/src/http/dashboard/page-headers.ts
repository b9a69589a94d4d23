const YEAR_SECONDS = 31_536_000

/**
 * Scripts come from us alone and never stand in the page. Styles may: the dialogs and the charts set them on elements.
 * Nothing is asked of any other host, and nobody may frame the page.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders = (baseUrl: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  // An invitation's address is a secret: no other site is told it.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
  ...(baseUrl.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
})
