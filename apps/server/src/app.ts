import { Hono } from 'hono'
import { answerInTime } from './http/answer-in-time.ts'
import type { App, Dependencies, Env } from './http/context.ts'
import { handleErrors, refuseOtherMethods } from './http/errors.ts'
import { trackRefund } from './http/keyed/track-refund.ts'
import { trackSale } from './http/keyed/track-sale.ts'
import { operations } from './http/operations.ts'
import { allowBrowserCalls } from './http/public/browser-calls.ts'
import { trackClick } from './http/public/track-click.ts'
import { requestStory } from './http/request.ts'
import { refuseForeignOrigins } from './http/same-origin.ts'
import { accounts } from './http/session/accounts.ts'
import { commissions } from './http/session/commissions.ts'
import { erasure } from './http/session/erasure.ts'
import { explain } from './http/session/explain.ts'
import { partners } from './http/session/partners.ts'
import { payouts } from './http/session/payouts.ts'
import { programs } from './http/session/programs.ts'
import { requireSession } from './http/session/require-session.ts'
import { rewards } from './http/session/rewards.ts'
import { tracking } from './http/session/tracking.ts'
import { invitationLinks, invitations, members, workspaces } from './http/session/workspaces.ts'
import { trackLead } from './http/track-lead.ts'

/** Every route there is, under the caller who may use it. */
export const buildApp = (dependencies: Dependencies): App => {
  const app: App = new Hono<Env>()
  requestStory(app, dependencies)
  handleErrors(app, dependencies)

  // Anybody: the referral link, or the invitation link, is the only credential.
  allowBrowserCalls(app, '/api/v1/track/click', dependencies)
  allowBrowserCalls(app, '/api/v1/track/lead', dependencies)
  trackClick(app, dependencies)

  // A merchant's server, by its program API key. A lead without a key is the browser's. Money has connections of its own.
  const money = { ...dependencies, db: dependencies.moneyDb }
  for (const path of ['/api/v1/track/lead', '/api/v1/track/sale', '/api/v1/track/refund']) answerInTime(app, path)
  trackLead(app, money)
  trackSale(app, money)
  trackRefund(app, money)

  // A signed-in member of a workspace.
  refuseForeignOrigins(app, dependencies.baseUrl)
  accounts(app, dependencies)
  invitationLinks(app, dependencies)
  for (const path of ['/api/workspaces/*', '/api/programs/*', '/api/tracking/*'])
    app.use(path, requireSession(dependencies))
  workspaces(app, dependencies)
  members(app, dependencies)
  invitations(app, dependencies)
  programs(app, dependencies)
  partners(app, dependencies)
  tracking(app, dependencies)
  explain(app, dependencies)
  rewards(app, dependencies)
  commissions(app, dependencies)
  payouts(app, dependencies)
  erasure(app, dependencies)

  // Whoever runs the service or writes against it.
  operations(app, dependencies)

  refuseOtherMethods(app)
  return app
}
