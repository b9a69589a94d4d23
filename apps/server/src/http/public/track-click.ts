import { FIELD_ALIASES, readClick } from '@tributary/contract'
import { createCodeLinkOpener } from '../../tracking/clicks/open-code-link.ts'
import { recordClick } from '../../tracking/clicks/record-click.ts'
import { recordTestClick } from '../../tracking/clicks/record-test-click.ts'
import { testAnswer } from '../answers/tracking-answers.ts'
import type { Bindings, Dependencies } from '../context.ts'
import { refusalBody, refusalOf } from '../errors.ts'
import { applyAliases } from '../field-aliases.ts'
import { parseObject, readInTime } from '../read-json.ts'
import { logRequest, requestIdOf } from '../request.ts'
import { CORS_HEADERS } from './browser-calls.ts'
import { firstPartyCookie } from './first-party-cookie.ts'
import { deduplicateClicks } from './repeated-clicks.ts'
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
    const recorded = await once(body, (identity) => recordClick(recording, { identity, request: click, visitor }))
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
