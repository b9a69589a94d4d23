import { clickRequest } from '@tributary/contract'
import { recordClick } from '../../tracking/record-click.ts'
import { recordTestClick } from '../../tracking/record-test-click.ts'
import type { Bindings, Dependencies } from '../context.ts'
import { refusalBody, refusalOf } from '../errors.ts'
import { check, parseObject, readInTime, withWireNames } from '../read-json.ts'
import { requestIdOf, tellStory } from '../request.ts'
import { testAnswer } from '../test-answer.ts'
import { ANY_PAGE } from './browser-calls.ts'
import { firstPartyCookie } from './first-party-cookie.ts'
import { rememberingClicks } from './repeated-clicks.ts'

export const CLICK_PATH = '/api/v1/track/click'

type Headers = Record<string, string>

/**
 * POST /api/v1/track/click: public, the referral link is the only credential.
 *
 * The one call that comes in floods, so it is answered without the framework, whose part was half of what a click cost
 * the service (decision 2). What every other answer has of middlewares, this one has of the same functions.
 */
export const trackClick = (dependencies: Dependencies) => {
  const { clientIp, limits, visitors, log, clock } = dependencies
  const once = rememberingClicks(clock)

  const answer = async (request: Request, ip: string | null, headers: Headers) => {
    limits.browser(ip)
    const text = await readInTime(request, () => {
      headers.connection = 'close'
    })
    const body = parseObject(text)
    const click = check(clickRequest, withWireNames(body))
    if (click.additional_data.test_mode) return testAnswer('click', await recordTestClick(dependencies, click))
    const userAgent = click.user_agent ?? request.headers.get('user-agent')
    const visitor = visitors({ ip, userAgent })
    const recorded = await once(body, () => recordClick(dependencies, { request: click, visitor }))
    const cookie = firstPartyCookie(request, recorded)
    if (cookie) headers['set-cookie'] = cookie
    return {
      success: true,
      click_id: recorded.clickId,
      partner_code: recorded.partnerCode,
      cookie_window_days: recorded.cookieWindowDays,
    }
  }

  return async (request: Request, { server }: Bindings): Promise<Response> => {
    const started = performance.now()
    const requestId = requestIdOf(request.headers.get('x-request-id'))
    const ip = clientIp(server?.requestIP(request)?.address ?? null, request.headers.get('x-forwarded-for'))
    const headers: Headers = { 'x-request-id': requestId, ...ANY_PAGE, 'content-type': 'application/json' }
    let status = 200
    let code: string | undefined
    let body: object
    try {
      body = await answer(request, ip, headers)
    } catch (error) {
      const refusal = refusalOf(error as Error, { log, requestId })
      status = refusal.status
      code = refusal.code
      body = refusalBody(refusal, requestId)
      if (refusal.retryAfterSeconds !== undefined) headers['retry-after'] = String(refusal.retryAfterSeconds)
    }
    tellStory(dependencies, { requestId, method: 'POST', route: CLICK_PATH, status, code, started })
    return new Response(JSON.stringify(body), { status, headers })
  }
}
