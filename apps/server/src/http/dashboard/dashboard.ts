import { createMiddleware } from 'hono/factory'
import { readSetupState } from '../../accounts/first-account.ts'
import { findOpenInvitation } from '../../accounts/workspaces.ts'
import { html, markupOf } from '../../html.ts'
import type { App, Call, Dependencies, Env } from '../context.ts'
import { once } from '../once.ts'
import { homePage } from '../reference/home-page.ts'
import { PAGE_HEADERS } from '../reference/page.ts'
import { type BuiltFile, etagOf, readBuiltDashboard } from './built-files.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const AN_HOUR = 'public, max-age=3600'

/** The dashboard's files and its page. Registered last, so that every other route takes precedence. */
export const dashboard = (app: App, { db, clock, baseUrl, portalUrl, openSignup, mailer, signOn }: Dependencies) => {
  const built = once(() => readBuiltDashboard())

  const signUp = async () => {
    const setUp = await readSetupState(db)
    if (setUp === 'in use') return openSignup ? 'open' : 'invited'
    return setUp === 'demo' ? 'demo' : 'first'
  }

  const page = async (c: Call, status: 200 | 404 = 200) => {
    const found = built()
    if (!found) return c.body(homePage(), status, PAGE_HEADERS)
    const offers = { hasMail: mailer !== null, signOn: signOn?.name ?? null }
    const facts = { baseUrl, portalUrl, ...offers }
    const text = fillIndex(found.index, { ...facts, signUp: await signUp() })
    const headers = { ...DASHBOARD_HEADERS, etag: etagOf(text) }
    if (status === 200 && c.req.header('if-none-match') === headers.etag) return c.body(null, 304, headers)
    return c.body(text, status, headers)
  }

  // Partners who enter only the host of the portal get to the portal.
  const portalHost = portalUrl === baseUrl ? null : new URL(portalUrl).host
  app.get('/', async (c) => (c.req.header('host') === portalHost ? c.redirect('/portal') : page(c)))

  // An invalid invitation gets the same page with a 404; the page says so.
  app.get('/invite/:invitationId', async (c) => {
    const invitation = await findOpenInvitation(db, { invitationId: c.req.param('invitationId'), at: clock() })
    return page(c, invitation ? 200 : 404)
  })

  const serve = createMiddleware<Env>(async (c, next) => {
    const file = c.req.path.startsWith('/api/') ? undefined : built()?.files.get(c.req.path)
    if (file) return sendFile(c, file)
    if (isScreen(c)) return page(c)
    await next()
  })
  app.get('*', serve)
}

/** A browser navigating to a path of the dashboard's router. Other clients get the JSON 404. */
const isScreen = (c: Call) =>
  !c.req.path.startsWith('/api/') &&
  !/\.[^/]*$/.test(c.req.path) &&
  (c.req.header('accept') ?? '').includes('text/html')

/** Asset names contain a hash of their content, so they can be cached forever. */
const sendFile = (c: Call, file: BuiltFile) => {
  const headers = {
    'content-type': file.type,
    'cache-control': c.req.path.startsWith('/assets/') ? IMMUTABLE : AN_HOUR,
    etag: file.etag,
    vary: 'accept-encoding',
  }
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304, headers)
  const accepted = c.req.header('accept-encoding') ?? ''
  if (file.brotli && /\bbr\b/.test(accepted)) return c.body(file.brotli, 200, { ...headers, 'content-encoding': 'br' })
  if (file.gzip && /\bgzip\b/.test(accepted)) return c.body(file.gzip, 200, { ...headers, 'content-encoding': 'gzip' })
  return c.body(file.body, 200, headers)
}

type InstanceFacts = {
  baseUrl: string
  portalUrl: string
  signUp: 'first' | 'demo' | 'open' | 'invited'
  hasMail: boolean
  /** Name of the identity provider. */
  signOn: string | null
}

/** Puts what the dashboard needs before its first API call into the page (apps/dashboard/src/instance.ts). */
const fillIndex = (index: string, { baseUrl, portalUrl, signUp, hasMail, signOn }: InstanceFacts) =>
  index
    .replace(emptyMeta('base-url'), markupOf(html`name="tributary:base-url" content="${baseUrl}"`))
    .replace(emptyMeta('portal-url'), markupOf(html`name="tributary:portal-url" content="${portalUrl}"`))
    .replace(emptyMeta('sign-up'), markupOf(html`name="tributary:sign-up" content="${signUp}"`))
    .replace(emptyMeta('mail'), markupOf(html`name="tributary:mail" content="${hasMail ? 'yes' : 'no'}"`))
    .replace(emptyMeta('sign-on'), markupOf(html`name="tributary:sign-on" content="${signOn ?? ''}"`))

const emptyMeta = (name: string) => `name="tributary:${name}" content=""`

/**
 * No inline scripts, no other hosts, no framing. Inline styles are allowed because dialogs and charts set them. The other headers
 * come from http/security-headers.ts.
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

const DASHBOARD_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-cache',
}
