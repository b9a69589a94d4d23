const KEYWORD = /^'(none|self|unsafe-inline|unsafe-eval|wasm-unsafe-eval|unsafe-hashes|strict-dynamic|report-sample)'$/
const NONCE_OR_HASH = /^'(nonce|sha256|sha384|sha512)-[\w+/-]+={0,2}'$/
const ADDRESS = /^([a-z][a-z\d+.-]*:|\*|([a-z][a-z\d+.-]*:\/\/)?(\*\.)?[a-z\d.-]+(:(\d+|\*))?(\/\S*)?)$/i
const isSource = (source: string) => KEYWORD.test(source) || NONCE_OR_HASH.test(source) || ADDRESS.test(source)
const isSandboxFlag = (flag: string) => /^allow-[a-z-]+$/.test(flag)

const FETCHED = ['default', 'script', 'style', 'img', 'font', 'connect', 'media', 'object', 'frame', 'child', 'worker']
const SOURCES = [...FETCHED.map((kind) => `${kind}-src`), 'manifest-src', 'base-uri', 'form-action', 'frame-ancestors']

/** Browsers ignore a directive they don't know, without a sign on the page. */
const invalidDirectives = (policy: string) => {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const names = directives.map(([name = '']) => name)
  return directives
    .filter(([name = '', ...values], index) => {
      if (names.indexOf(name) !== index) return true
      if (name === 'sandbox') return !values.every(isSandboxFlag)
      const isAlone = values.length === 1 || !values.includes("'none'")
      return !(SOURCES.includes(name) && values.length > 0 && values.every(isSource) && isAlone)
    })
    .map((directive) => directive.join(' '))
}

const VALID: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^(DENY|SAMEORIGIN)$/,
  'referrer-policy':
    /^(no-referrer|no-referrer-when-downgrade|same-origin|origin|strict-origin|origin-when-cross-origin|strict-origin-when-cross-origin)$/,
  'cross-origin-opener-policy': /^(unsafe-none|same-origin|same-origin-allow-popups|noopener-allow-popups)$/,
  'cross-origin-resource-policy': /^(same-site|same-origin|cross-origin)$/,
  'strict-transport-security': /^max-age=\d+(; includeSubDomains)?(; preload)?$/,
}

/** Security headers, and directives of the content policy, that a browser would ignore. */
export const invalidSecurityHeaders = ({ headers }: Response) => [
  ...invalidDirectives(headers.get('content-security-policy') ?? "default-src 'self'"),
  ...Object.entries(VALID)
    .map(([name, valid]) => ({ name, valid, value: headers.get(name) }))
    .filter(({ valid, value }) => value !== null && !valid.test(value))
    .map(({ name, value }) => `${name}: ${value}`),
]
