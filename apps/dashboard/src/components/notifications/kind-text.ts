import type { NotificationKind } from '@tributary/contract'

/** What each kind is about, from the reader's view. */
export const KIND_TEXT: Record<NotificationKind, { label: string; hint: string }> = {
  application_received: { label: 'New application', hint: 'Someone applied to become a partner.' },
  review_waiting: { label: 'Commissions in review', hint: 'At most once a day, if there are new ones.' },
  draft_ready: { label: 'Payout draft ready', hint: 'A scheduled draft waits for your confirmation.' },
  connection_silent: {
    label: 'No payment events',
    hint: 'Your payment processor usually sends events, but sent none for 7 days.',
  },
  clicks_stopped: { label: 'No clicks', hint: 'Your links usually get clicks, but have had none for 3 days.' },
  webhook_failing: { label: 'Webhooks failing', hint: 'Every delivery to an endpoint has failed for 3 days.' },
  webhook_disabled: {
    label: 'Webhook endpoint disabled',
    hint: 'An endpoint failed for 5 days or answered 410 Gone.',
  },
  application_approved: { label: 'Application approved', hint: 'You became a partner.' },
  application_rejected: { label: 'Application rejected', hint: 'Your application was not accepted.' },
  terms_changed: { label: 'Terms changed', hint: 'Your reward or the agreement changed.' },
  first_commission: { label: 'First commission', hint: 'You earned your first commission.' },
  payout_sent: { label: 'Payout sent', hint: 'A payment to you was marked as paid.' },
  payout_details_missing: {
    label: 'Payout details missing',
    hint: 'A reminder, at most once a month, while you have a balance.',
  },
  summary: { label: 'Summary', hint: 'Clicks, leads, sales and commissions of the last week or month.' },
}
