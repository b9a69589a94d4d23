import { clickRequest } from '@tributary/contract'
import { recordClick } from '../../tracking/record-click.ts'
import { recordTestClick } from '../../tracking/record-test-click.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readJson, withWireNames } from '../read-json.ts'
import { testAnswer } from '../test-answer.ts'

/** POST /api/v1/track/click: public, the referral link is the only credential. */
export const trackClick = (app: App, dependencies: Dependencies) =>
  app.post('/api/v1/track/click', async (c) => {
    const request = check(clickRequest, withWireNames(await readJson(c)))
    if (request.additional_data.test_mode)
      return c.json(testAnswer('click', await recordTestClick(dependencies, request)))
    const userAgent = request.user_agent ?? c.req.header('user-agent') ?? null
    const visitor = dependencies.visitors({ ip: c.get('clientIp'), userAgent })
    const click = await recordClick(dependencies, { request, visitor })
    return c.json({
      success: true,
      click_id: click.clickId,
      partner_code: click.partnerCode,
      cookie_window_days: click.cookieWindowDays,
    })
  })
