import { type PartnerNotification, type TeamNotification, toDecimal, WEBHOOK_DISABLE_DAYS } from '@tributary/contract'
import { formatMoney } from '../format-money.ts'
import { formatDate, formatDateTime } from '../format-time.ts'
import type { Amount, Details, Fact, PartnerTotals } from './details.ts'

/** The program as the reader knows it. */
export type MessageContext = { programId: number; programName: string; timezone: string }

/** The same words in the app and by email. */
export type Message = { title: string; lines: string[]; action: { label: string; path: string } }

export const messageOf = (fact: Fact, context: MessageContext): Message => {
  const write = WRITERS[fact.kind] as (details: Fact['details'], context: MessageContext) => Message
  return write(fact.details, context)
}

const money = ({ amountCents, currency }: Amount) => formatMoney(toDecimal(amountCents, currency), currency)

const moneyList = (amounts: Amount[]) => new Intl.ListFormat('en-US').format(amounts.map(money))

/** A calendar date, which has no time zone. */
const day = (date: string) => formatDate(new Date(`${date}T00:00:00Z`), 'UTC')

const moment = (at: string, { timezone }: MessageContext) => formatDateTime(new Date(at), timezone)

const count = (number: number, one: string) => `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`

const team = ({ programId }: MessageContext, path: string) => `/programs/${programId}${path}`
const portal = ({ programId }: MessageContext, path = '') => `/portal/${programId}${path}`

type Unpaid = { group: PartnerTotals | undefined; more: string; reason: string }

const cannotBePaid = ({ group, more, reason }: Unpaid) =>
  group && group.partners > 0
    ? [
        `${group.partners}${more} partner${group.partners === 1 ? '' : 's'} (${moneyList(group.totals)}) can’t be paid yet: ${reason}.`,
      ]
    : []

const messageFrom = ({ message }: { message: string | null }, { programName }: MessageContext) =>
  message ? [`Message from ${programName}: ${message}`] : []

type Writers<Kinds extends keyof Details> = {
  [Kind in Kinds]: (details: Details[Kind], context: MessageContext) => Message
}

const FOR_TEAM: Writers<TeamNotification> = {
  application_received: ({ name }, context) => ({
    title: `${name} applied to become a partner`,
    lines: ['Read the application, then approve or reject it.'],
    action: { label: 'Review applications', path: team(context, '/partners/applications') },
  }),
  review_waiting: ({ count: open }, context) => ({
    title: `${count(open, 'commission')} ${open === 1 ? 'needs' : 'need'} review`,
    lines: ['Commissions in review aren’t paid until you approve them.'],
    action: { label: 'Review commissions', path: team(context, '/commissions?state=review') },
  }),
  draft_ready: ({ partners, totals, ready = { partners, totals }, missing, changed }, context) => {
    const more = ready.partners > 0 ? ' more' : ''
    return {
      title: `Payout draft ready: ${more ? `${moneyList(ready.totals)} for ${count(ready.partners, 'partner')}` : 'no partner can be paid yet'}`,
      lines: [
        'You send the money yourself after you confirm the draft.',
        ...cannotBePaid({ group: missing, more, reason: 'payout details are missing' }),
        ...cannotBePaid({ group: changed, more, reason: 'payout details changed in the last 48 hours' }),
      ],
      action: { label: 'Open draft', path: team(context, '/payouts/draft') },
    }
  },
  connection_silent: ({ days, lastAt }, context) => ({
    title: `No payment events for ${count(days, 'day')}`,
    lines: [
      `The last event from your payment processor arrived on ${formatDate(new Date(lastAt), context.timezone)}.`,
      'If you had payments since then, check the connection.',
    ],
    action: { label: 'Check connection', path: team(context, '/settings/payment-processors') },
  }),
  clicks_stopped: ({ lastDay }, context) => ({
    title: `No clicks since ${day(lastDay)}`,
    lines: ['Your links were clicked regularly until then. Check that the tracking script is still on your website.'],
    action: { label: 'Check setup', path: team(context, '/set-up') },
  }),
  webhook_failing: ({ host, since }, context) => ({
    title: `Webhooks to ${host} are failing`,
    lines: [
      `No events have been delivered since ${moment(since, context)}. Failed events are retried.`,
      `The endpoint will be disabled after ${WEBHOOK_DISABLE_DAYS} days of failures.`,
    ],
    action: { label: 'Check webhooks', path: team(context, '/settings/webhooks') },
  }),
  webhook_disabled: ({ host, since, reason }, context) => ({
    title: `The webhook endpoint at ${host} was disabled`,
    lines: [
      reason === 'gone'
        ? 'Your server answered that the endpoint no longer exists (410 Gone).'
        : `No events have been delivered since ${moment(since, context)}.`,
      'Fix the endpoint, then enable it again. Pending deliveries are then sent, and you can resend failed ones.',
      'Events that happen while the endpoint is disabled are not sent. To catch up, call GET /api/v1/events?after=… with the sequence of the last event you received.',
    ],
    action: { label: 'Check webhooks', path: team(context, '/settings/webhooks') },
  }),
}

const FOR_PARTNERS: Writers<PartnerNotification> = {
  application_approved: (details, context) => ({
    title: `You’ve been accepted into ${context.programName}`,
    lines: ['Your links and commissions are in the partner portal.', ...messageFrom(details, context)],
    action: { label: 'Open partner portal', path: portal(context) },
  }),
  application_rejected: (details, context) => ({
    title: `Your application to ${context.programName} wasn’t accepted`,
    lines: ['You can see the status of your application in the partner portal.', ...messageFrom(details, context)],
    action: { label: 'Open partner portal', path: portal(context) },
  }),
  terms_changed: ({ what }, context) =>
    what === 'agreement'
      ? {
          title: 'The partner agreement changed',
          lines: ['Read the new version and accept it in the partner portal.'],
          action: { label: 'Read agreement', path: portal(context, '/agreement') },
        }
      : {
          title: what === 'tier' ? `You reached a new tier in ${context.programName}` : 'Your reward terms changed',
          lines: [
            ...(what === 'group' ? ['You were moved to another partner group.'] : []),
            'The new terms apply to leads and sales from now on. Earlier commissions don’t change.',
          ],
          action: { label: 'View reward terms', path: portal(context) },
        },
  first_commission: (amount, context) => ({
    title: `You earned your first commission: ${money(amount)}`,
    lines: ['The partner portal shows when it becomes payable.'],
    action: { label: 'View commissions', path: portal(context, '/earnings') },
  }),
  payout_sent: ({ reference, paidOn, ...amount }, context) => ({
    title: `${context.programName} sent you ${money(amount)}`,
    lines: [
      paidOn ? `The payment was sent on ${day(paidOn)}.` : 'The payment was sent.',
      ...(reference ? [`Reference: ${reference}`] : []),
    ],
    action: { label: 'View payouts', path: portal(context, '/payouts') },
  }),
  payout_details_missing: ({ amounts }, context) => ({
    title: 'Add your payout details',
    lines: [
      `You have ${moneyList(amounts)} to be paid. Add your payout details so ${context.programName} can pay you.`,
    ],
    action: { label: 'Add payout details', path: portal(context, '/payouts') },
  }),
  summary: ({ frequency, firstDay, lastDay, commissions, ...counts }, context) => ({
    title: `Your ${frequency === 'weekly' ? 'week' : 'month'} with ${context.programName}`,
    lines: [
      `From ${day(firstDay)} to ${day(lastDay)}: ${count(counts.clicks, 'click')}, ${count(counts.leads, 'lead')}, ${count(counts.sales, 'sale')}.`,
      commissions.length > 0 ? `You earned ${moneyList(commissions)}, before reversals.` : 'You earned no commissions.',
    ],
    action: { label: 'Open partner portal', path: portal(context) },
  }),
}

const WRITERS: Writers<keyof Details> = { ...FOR_TEAM, ...FOR_PARTNERS }
