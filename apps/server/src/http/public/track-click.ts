import { CLICK_COOKIE, FIELD_ALIASES, readClick } from '@tributary/contract'
import { generateCookie } from 'hono/cookie'
import type { Clock } from '../../clock.ts'
import {
  type ClickIdentity,
  createCodeLinkOpener,
  newClickIdentity,
  type RecordedClick,
  recordClick,
} from '../../tracking/clicks/record-click.ts'
import { recordTestClick } from '../../tracking/clicks/record-test-click.ts'
import { testAnswer } from '../answers/tracking-answers.ts'
import type { Bindings, Dependencies } from '../context.ts'
import { refusalBody, refusalOf } from '../errors.ts'
import { applyAliases, type JsonObject, parseObject, readInTime } from '../read-json.ts'
import { logRequest, requestIdOf } from '../request.ts'
import { CORS_HEADERS } from './browser-calls.ts'
import { testOriginOf } from './test-origin.ts'

export const CLICK_PATH = '/api/v1/track/click'

/** The only field of a click that has an alias. */
const ALIASES = FIELD_ALIASES.filter(([name]) => name === 'additional_data')

/** Copying one Headers object is twice as fast as setting each header. */
const HEADERS = new Headers({ ...CORS_HEADERS, 'content-type': 'application/json' })

type Extra = {
  requestId: string
  status?: number
  retryAfterSeconds?: number
  cookie?: string | null
  isLast?: boolean
}

const answer = (body: object, { requestId, status = 200, retryAfterSeconds, cookie, isLast }: Extra) => {
  const response = new Response(JSON.stringify(body), { status, headers: HEADERS })
  const { headers } = response
  headers.set('x-request-id', requestId)
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  if (cookie) headers.set('set-cookie', cookie)
  if (isLast) headers.set('connection', 'close')
  return response
}

/**
 * POST /api/v1/track/click: public, the referral link is the only credential.
 *
 * Handled before Hono, which took a third of the time of a click (decision 2). It calls the same functions as the middlewares.
 */
export const trackClick = (dependencies: Dependencies) => {
  const { clientIp, limits, visitors, log, clock } = dependencies
  const once = deduplicateClicks(clock)
  const recording = { ...dependencies, openCodeLink: createCodeLinkOpener(dependencies) }

  const record = async (request: Request, ip: string | null, extra: Extra): Promise<Response> => {
    limits.browser(ip)
    const text = await readInTime(request, () => {
      extra.isLast = true
    })
    const body = parseObject(text)
    const click = readClick(applyAliases(body, ALIASES))
    if (click.additional_data.test_mode) {
      const originIn = testOriginOf(dependencies, { headers: request.headers, ip })
      const test = await recordTestClick(dependencies, { request: click, originIn })
      return answer(testAnswer('click', test), extra)
    }
    const visitor = visitors({ ip, userAgent: click.user_agent ?? request.headers.get('user-agent') })
    const privacyControl = request.headers.get('sec-gpc') === '1'
    const recorded = await once(body, (identity) =>
      recordClick(recording, { identity, request: click, visitor, privacyControl }),
    )
    extra.cookie = firstPartyCookie(request, recorded)
    const { clickId: click_id, partnerCode: partner_code, cookieWindowDays: cookie_window_days } = recorded
    return answer({ success: true, click_id, partner_code, cookie_window_days }, extra)
  }

  return async (request: Request, { server }: Bindings): Promise<Response> => {
    const started = performance.now()
    const { headers } = request
    const requestId = requestIdOf(headers.get('x-request-id'))
    const ip = clientIp(server?.requestIP(request)?.address ?? null, headers.get('x-forwarded-for'))
    const extra: Extra = { requestId }
    const logged = { requestId, method: 'POST', route: CLICK_PATH, started }
    try {
      const answered = await record(request, ip, extra)
      logRequest(dependencies, { ...logged, status: answered.status })
      return answered
    } catch (error) {
      const refusal = refusalOf(error as Error, { log, requestId })
      const { status, code, reason, retryAfterSeconds } = refusal
      logRequest(dependencies, { ...logged, status, code, reason })
      return answer(refusalBody(refusal, requestId), { ...extra, status, retryAfterSeconds })
    }
  }
}

const DAY_SECONDS = 86_400

/**
 * With `first_party=1` the call came through the merchant's own host, so the response can set the cookie there. Browsers keep such a
 * cookie for the whole attribution window, but shorten the life of cookies set by scripts.
 *
 * Sending the parameter elsewhere is harmless. On a call from another origin the browser ignores the cookie, because the call has no
 * credentials. A navigation from another site gets no cookie, and nothing on our own origin reads it. The domain must be one that
 * the page could set itself, and the browser checks it again.
 */
const firstPartyCookie = (request: Request, { clickId, cookieWindowDays }: RecordedClick) => {
  if (!request.url.includes('?')) return null
  const url = new URL(request.url)
  const site = request.headers.get('sec-fetch-site')
  if (url.searchParams.get('first_party') !== '1' || site === 'cross-site' || site === 'none') return null
  const page = URL.parse(request.headers.get('origin') ?? '')
  return generateCookie(CLICK_COOKIE, clickId, {
    path: '/',
    maxAge: cookieWindowDays * DAY_SECONDS,
    sameSite: 'Lax',
    // Not HttpOnly, because the script reads it. Behind a proxy only the page's origin shows whether it uses https.
    secure: (page ?? url).protocol === 'https:',
    domain: page ? domainWithin(page.hostname, url.searchParams.get('cookie_domain') ?? '') : undefined,
  })
}

const domainWithin = (host: string, domain: string) =>
  /^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(domain) && `.${host}`.endsWith(`.${domain.toLowerCase()}`) ? domain : undefined

const REMEMBERED_MS = 600_000
const MAX_REMEMBERED = 20_000

type Visit = { at: number; name: ClickIdentity; click: Promise<RecordedClick> | null }

/**
 * Deduplicates clicks. A visitor who leaves the page before the response arrives makes the script send the click again on the next
 * page; the second call gets the response of the first. The script identifies a click by `session_id`, `visit_id` and link. Calls
 * without a `visit_id` do not come from the script and are each recorded.
 *
 * A click that failed may be retried under the same name, because the database may have committed it without answering.
 *
 * Each process remembers only its own calls, so a repeat that reaches another process counts twice, but no click is lost.
 */
export const deduplicateClicks = (clock: Clock) => {
  const visits = new Map<string, Visit>()
  return (body: JsonObject, record: (name: ClickIdentity) => Promise<RecordedClick>): Promise<RecordedClick> => {
    const now = clock()
    const { visit_id, session_id, affiliate_url } = body
    const isNamed = typeof visit_id === 'number' && typeof session_id === 'string' && typeof affiliate_url === 'string'
    if (!isNamed) return record(newClickIdentity(now))
    const key = `${Bun.hash(affiliate_url)} ${visit_id} ${session_id.slice(0, 128)}`
    const before = visits.get(key)
    const known = before && now.getTime() - before.at < REMEMBERED_MS ? before : null
    if (known?.click) return known.click
    const visit: Visit = known ?? { at: now.getTime(), name: newClickIdentity(now), click: null }
    const click = record(visit.name)
    visit.click = click
    visits.set(key, visit)
    click.catch(() => {
      visit.click = null
    })
    // Maps keep insertion order, so the first entry is the oldest.
    const [oldest] = visits.keys()
    if (visits.size > MAX_REMEMBERED && oldest) visits.delete(oldest)
    return click
  }
}
