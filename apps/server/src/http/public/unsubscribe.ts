import { isTeamKind } from '@tributary/contract'
import { type Html, html } from '../../html.ts'
import { stopMail } from '../../notifications/preferences.ts'
import { readUnsubscribeToken, type Subscription } from '../../notifications/unsubscribe-links.ts'
import { brandOf } from '../../programs/branding.ts'
import { findProgram } from '../../programs/programs.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { PAGE_HEADERS, page } from '../reference/page.ts'

const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  'cache-control': 'no-store',
}

/** Each kind of email as the end of "You will no longer get …". */
const EMAILS: Record<Subscription['kind'], string> = {
  application_received: 'emails about new applications',
  review_waiting: 'emails about commissions in review',
  draft_ready: 'emails about payout drafts',
  connection_silent: 'emails about missing payment events',
  clicks_stopped: 'emails about missing clicks',
  webhook_failing: 'emails about failing webhooks',
  webhook_disabled: 'emails about disabled webhook endpoints',
  application_approved: 'emails about your application',
  application_rejected: 'emails about your application',
  terms_changed: 'emails about changed terms',
  first_commission: 'emails about your first commission',
  payout_sent: 'emails about payouts',
  payout_details_missing: 'reminders to add payout details',
  summary: 'summaries',
}

/**
 * The link in every notification email. Mail programs send a POST (RFC 8058). A GET only shows a button, because link scanners
 * open every link.
 */
export const unsubscribe = (app: App, dependencies: Dependencies) => {
  const { db, limits, unsubscribeKey } = dependencies

  const answer = (c: Call, status: 200 | 404, title: string, body: Html) =>
    c.body(page({ title, body: html`<main class="home"><h1>${title}</h1>${body}</main>` }), status, HEADERS)

  const find = async (c: Call) => {
    limits.visitor(c.get('clientIp'))
    const subscription = readUnsubscribeToken(unsubscribeKey, c.req.param('token') ?? '')
    if (!subscription) return null
    const program = await findProgram(db, subscription.programId)
    if (!program) return null
    const name = isTeamKind(subscription.kind) ? program.name : (await brandOf(db, program)).programName
    return { db, subscription, name, emails: EMAILS[subscription.kind] }
  }
  const incomplete = (c: Call) =>
    answer(c, 404, 'This link is incomplete', html`<p>Open the link in the email again, or copy all of it.</p>`)

  app.get('/unsubscribe/:token', async (c) => {
    const found = await find(c)
    if (!found) return incomplete(c)
    const { name, emails } = found
    const form = html`<form method="post"><button>Unsubscribe</button></form>`
    return answer(c, 200, 'Unsubscribe', html`<p>Stop getting ${emails} from ${name}?</p>${form}`)
  })

  app.post('/unsubscribe/:token', async (c) => {
    const found = await find(c)
    if (!found) return incomplete(c)
    const { db, subscription, name, emails } = found
    await stopMail(db, subscription)
    const { kind, programId } = subscription
    const settings = isTeamKind(kind)
      ? `/programs/${programId}/settings/notifications`
      : `/portal/${programId}/notifications`
    const text = html`<p>You will no longer get ${emails} from ${name}.</p><p><a href="${settings}">Notification settings</a></p>`
    return answer(c, 200, 'You are unsubscribed', text)
  })
}
