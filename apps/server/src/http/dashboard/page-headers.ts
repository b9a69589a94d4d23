/**
 * Scripts come from us alone and never stand in the page. Styles may: the dialogs and the charts set them on elements.
 * Nothing is asked of any other host, and nobody may frame the page. The other headers are those of every page
 * (http/security-headers.ts).
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

export const DASHBOARD_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-cache',
}
