import type { TimelineEntry } from '@tributary/contract'
import { formatCountry, formatMoney } from '~/components/format/format.ts'
import { reasonText, refundReason } from '../explain/reason-text.ts'

type Details = TimelineEntry['details']

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const join = (parts: (string | null | false)[]) => parts.filter(Boolean).join(' · ')

const money = ({ amountCents, currency }: Details) =>
  typeof amountCents === 'number' && text(currency) ? formatMoney(amountCents, String(currency)) : ''

const reversedText = ({ reversedCents, currency }: Details) =>
  typeof reversedCents === 'number' && `${money({ amountCents: reversedCents, currency })} reversed since`

/** Drops the query and fragment, which are often long. */
const page = (url: unknown) =>
  text(url)
    ?.replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '') ?? null

const PROVISIONAL = 'Provisional: only the browser has reported this lead so far.'

type Described = { title: string; text: string | null }

/** Title and text of one entry in a customer's timeline. */
export const describe = ({ event, details, partnerName: partner }: TimelineEntry): Described => {
  const country = text(details.country)
  const from = page(details.referrerUrl)
  const describers: Record<TimelineEntry['event'], () => Described> = {
    click: () => ({
      title: `Click${partner ? ` on ${partner}’s link` : ''}`,
      text: join([
        page(details.pageUrl),
        from && `from ${from}`,
        country && formatCountry(country),
        text(details.device),
      ]),
    }),
    lead: () => ({
      title: 'Lead',
      text: details.state === 'provisional' ? PROVISIONAL : partner && `Credited to ${partner}`,
    }),
    sale: () => ({
      title: `Sale of ${money(details)}`,
      text: join([
        text(details.invoiceId),
        details.attributed === false
          ? `Not credited. ${reasonText(String(details.reason ?? ''))}`
          : partner && `Credited to ${partner}`,
      ]),
    }),
    commission: () => ({
      title: `Commission of ${money(details)}`,
      text: join([partner && `Earned by ${partner}`, reversedText(details)]),
    }),
    refund: () => ({
      title: `Refund of ${money(details)}`,
      text: join([text(details.invoiceId), details.reason ? refundReason(String(details.reason)) : null]),
    }),
    dispute: () => ({ title: `Dispute ${text(details.status) ?? ''}`, text: text(details.invoiceId) }),
  }
  return describers[event]()
}
