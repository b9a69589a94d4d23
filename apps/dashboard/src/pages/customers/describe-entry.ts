import type { TimelineEntry } from '@tributary/contract'
import { formatCountry, formatMoney } from '~/components/format/format.ts'
import { refundReason, sentenceFor } from '../explain/reason-words.ts'

type Details = TimelineEntry['details']

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const listed = (parts: (string | null | false)[]) => parts.filter(Boolean).join(' · ')

const money = ({ amountCents, currency }: Details) =>
  typeof amountCents === 'number' && text(currency) ? formatMoney(amountCents, String(currency)) : ''

/** Long addresses say little after their path. */
const page = (url: unknown) =>
  text(url)
    ?.replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '') ?? null

const LEADS: Record<string, string> = {
  settled: 'Settled: from here on the customer belongs to this partner.',
  provisional: 'Provisional: only the browser has reported it so far.',
}

type Described = { title: string; text: string | null }

/** One entry of a customer's time line in words. */
export const describe = ({ event, details, partnerName: partner }: TimelineEntry): Described => {
  const country = text(details.country)
  const from = page(details.referrerUrl)
  const words: Record<TimelineEntry['event'], () => Described> = {
    click: () => ({
      title: `Click${partner ? ` on a link of ${partner}` : ''}`,
      text: listed([
        page(details.pageUrl),
        from && `from ${from}`,
        country && formatCountry(country),
        text(details.device),
      ]),
    }),
    lead: () => ({ title: 'Sign-up', text: LEADS[String(details.state)] ?? null }),
    sale: () => ({
      title: `Sale of ${money(details)}`,
      text: listed([
        text(details.invoiceId),
        details.attributed === false
          ? `Not credited. ${sentenceFor(String(details.reason ?? ''))}`
          : partner && `Credited to ${partner}`,
      ]),
    }),
    commission: () => ({ title: `Commission of ${money(details)}`, text: partner && `Earned by ${partner}` }),
    refund: () => ({
      title: `Refund of ${money(details)}`,
      text: listed([text(details.invoiceId), details.reason ? refundReason(String(details.reason)) : null]),
    }),
    dispute: () => ({ title: `Dispute ${text(details.status) ?? ''}`, text: text(details.invoiceId) }),
  }
  return words[event]()
}
