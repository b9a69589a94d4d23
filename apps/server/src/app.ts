import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { answerInTime } from './http/answer-in-time.ts'
import type { App, Bindings, Dependencies, Env, FetchHandler } from './http/context.ts'
import { dashboard } from './http/dashboard/dashboard.ts'
import { handleErrors, refuseOtherMethods } from './http/errors.ts'
import { sdkTarball } from './http/files/sdk-tarball.ts'
import { trackRefund } from './http/keyed/track-refund.ts'
import { trackSale } from './http/keyed/track-sale.ts'
import { limitDashboardCalls } from './http/limit-calls.ts'
import { serve } from './http/operations/serve.ts'
import { operatorRoutes } from './http/operator-routes.ts'
import { connectCallback } from './http/processor/connect-callback.ts'
import { processorWebhooks } from './http/processor/webhooks.ts'
import { allowBrowserCalls } from './http/public/browser-calls.ts'
import { CLICK_PATH, trackClick } from './http/public/track-click.ts'
import { trackerScript } from './http/public/tracker-script.ts'
import { unsubscribe } from './http/public/unsubscribe.ts'
import { logRequests } from './http/request.ts'
import { refuseForeignOrigins } from './http/same-origin.ts'
import { securityHeaders } from './http/security-headers.ts'
import { accounts } from './http/sign-in/accounts.ts'
import { changeEmail } from './http/sign-in/change-email.ts'
import { invitedPartnerSignUp } from './http/sign-in/invited-partner-sign-up.ts'
import { signInLinks } from './http/sign-in/sign-in-links.ts'
import { signOn } from './http/sign-in/sign-on.ts'
import { signUps } from './http/sign-in/sign-up.ts'
import { twoFactor } from './http/sign-in/two-factor.ts'
import { trackLead } from './http/track-lead.ts'
import { allOperations } from './operations.ts'

/** Registers every route: those of `http`, and all operations. */
export const buildApp = (dependencies: Dependencies): FetchHandler => {
  const app: App = new Hono<Env>()
  logRequests(app, dependencies)
  securityHeaders(app, dependencies.baseUrl)
  handleErrors(app, dependencies)

  const click = trackClick(dependencies)
  forVisitors(app, dependencies)
  forMerchantServers(app, dependencies)
  forProcessor(app, dependencies)
  forPeople(app, dependencies)
  serve(app, dependencies, allOperations(dependencies))
  connectCallback(app, dependencies)
  // For operators and integrators.
  operatorRoutes(app, dependencies)
  sdkTarball(app)
  // For browsers.
  dashboard(app, dependencies)

  refuseOtherMethods(app, [{ path: CLICK_PATH, method: 'POST' }])
  return {
    fetch: (request, bindings) => {
      const isClick = request.method === 'POST' && getPath(request) === CLICK_PATH
      if (isClick) return click(request, bindings)
      return request.method === 'HEAD' ? answerHead(app, request, bindings) : app.fetch(request, bindings)
    },
  }
}

/** Keeps the body, so that the server can send the headers of GET, with its length. The server leaves the body out. */
const answerHead = async (app: App, request: Request, bindings: Bindings) => {
  let full: Response | undefined
  const empty = await app.fetch(request, { ...bindings, keepResponse: (response: Response) => (full = response) })
  return full ?? empty
}

/** No credential: the referral link identifies the program. */
const forVisitors = (app: App, dependencies: Dependencies) => {
  allowBrowserCalls(app, CLICK_PATH, dependencies)
  allowBrowserCalls(app, '/api/v1/track/lead', dependencies)
  trackerScript(app)
}

/** Authenticated by the program API key; a lead without a key comes from a browser. Uses the money connection pool. */
const forMerchantServers = (app: App, dependencies: Dependencies) => {
  const money = { ...dependencies, db: dependencies.moneyDb }
  for (const path of ['/api/v1/track/lead', '/api/v1/track/sale', '/api/v1/track/refund']) answerInTime(app, path)
  trackLead(app, money)
  trackSale(app, money)
  trackRefund(app, money)
}

/** Authenticated by the payment processor's signature. */
const forProcessor = (app: App, dependencies: Dependencies) => {
  answerInTime(app, '/api/v1/processor/*')
  processorWebhooks(app, dependencies)
}

/** Anyone who signs in, signs up, applies or accepts an invitation, from our own pages only. */
const forPeople = (app: App, dependencies: Dependencies) => {
  limitDashboardCalls(app, dependencies)
  refuseForeignOrigins(app, [dependencies.baseUrl, dependencies.portalUrl])
  accounts(app, dependencies)
  twoFactor(app, dependencies)
  changeEmail(app, dependencies)
  signInLinks(app, dependencies)
  signOn(app, dependencies)
  signUps(app, dependencies)
  invitedPartnerSignUp(app, dependencies)
  unsubscribe(app, dependencies)
}
