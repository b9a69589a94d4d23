import type { Fact } from './details.ts'

/** One of each kind, for previews. */
export const samplesIn = (currency: string): Fact[] => {
  const amount = { amountCents: 12_500, currency }
  const draft = {
    partners: 13,
    totals: [{ amountCents: 150_000, currency }],
    ready: { partners: 12, totals: [{ amountCents: 137_500, currency }] },
  }
  const since = '2026-11-02T09:30:00.000Z'
  const webhook = { endpointId: 1, host: 'hooks.example.com', since, reason: 'failing' as const }
  return [
    { kind: 'application_received', details: { partnerId: 1, name: 'Maya Lindqvist' } },
    { kind: 'review_waiting', details: { count: 3 } },
    { kind: 'draft_ready', details: { period: '2026-11-01', ...draft, missing: { partners: 1, totals: [amount] } } },
    { kind: 'connection_silent', details: { days: 7, lastAt: '2026-11-02T09:30:00.000Z' } },
    { kind: 'clicks_stopped', details: { lastDay: '2026-11-06' } },
    { kind: 'webhook_failing', details: webhook },
    { kind: 'webhook_disabled', details: webhook },
    { kind: 'application_approved', details: { message: 'Welcome aboard!' } },
    { kind: 'application_rejected', details: { message: null } },
    { kind: 'terms_changed', details: { what: 'reward' } },
    { kind: 'first_commission', details: amount },
    { kind: 'payout_sent', details: { ...amount, reference: 'TR-1042', paidOn: '2026-11-03' } },
    { kind: 'payout_details_missing', details: { amounts: [amount] } },
    {
      kind: 'summary',
      details: {
        frequency: 'monthly',
        firstDay: '2026-10-01',
        lastDay: '2026-10-31',
        clicks: 412,
        leads: 18,
        sales: 7,
        commissions: [amount],
      },
    },
  ]
}
