import { clickRequest } from '@tributary/contract'
import { recordClick } from '../../tracking/record-click.ts'
import { recordTestClick } from '../../tracking/record-test-click.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readJson, withWireNames } from '../read-json.ts'
import { testAnswer } from '../test-answer.ts'
import { setFirstPartyCookie } from './first-party-cookie.ts'
import { rememberingClicks } from './repeated-clicks.ts'

/** POST /api/v1/track/click: public, the referral link is the only credential. */
export const trackClick = (app: App, dependencies: Dependencies) => {
  const once = rememberingClicks(dependencies.clock)
  app.post('/api/v1/track/click', async (c) => {
    const body = await readJson(c)
    const request = check(clickRequest, withWireNames(body))
    if (request.additional_data.test_mode)
      return c.json(testAnswer('click', await recordTestClick(dependencies, request)))
    const userAgent = request.user_agent ?? c.req.header('user-agent') ?? null
    const visitor = dependencies.visitors({ ip: c.get('clientIp'), userAgent })
    const click = await once(body, () => recordClick(dependencies, { request, visitor }))
    setFirstPartyCookie(c, click)
    return c.json({
      success: true,
      click_id: click.clickId,
      partner_code: click.partnerCode,
      cookie_window_days: click.cookieWindowDays,
    })
  })
}
