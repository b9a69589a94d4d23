import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Html, html, markupOf } from '../../html.ts'

/** The only thing put into a page unescaped. */
const STYLE = readFileSync(`${import.meta.dir}/page.css`, 'utf8')

/** Allows no scripts, loading or framing, and only this style sheet. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

export const page = ({ title, body }: { title: string; body: Html }) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${markupOf(html`<title>${title}</title>`)}
<style>${STYLE}</style>
</head>
<body>
${markupOf(body)}
</body>
</html>
`
