import type { Statement } from '@tributary/contract'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { formatCalendarDate, formatDate, formatMoney, formatRate } from '~/components/format/format.ts'
import { capitalize } from '~/components/format/labels.ts'
import { isErased } from '../customers/erased.ts'

/** A statement as it is printed: black on white, in both color schemes. */
export const StatementDocument = ({ statement }: { statement: Statement }) => (
  <article
    aria-label={titleOf(statement)}
    className="mx-auto w-full max-w-3xl rounded-xl border border-line bg-white px-5 py-6 text-black text-sm sm:px-10 sm:py-9 print:max-w-none print:rounded-none print:border-0 print:p-0"
  >
    <StatementHeader statement={statement} />
    <Parties statement={statement} />
    <Items statement={statement} />
    <Totals statement={statement} />
    {statement.selfBilling && (
      <p className="mt-6 text-pretty border-neutral-300 border-t pt-3 text-neutral-700 text-xs">
        Self-billing: {statement.merchant?.legalName ?? statement.programName} issues this invoice on behalf of{' '}
        {statement.partner?.company ?? statement.partner?.name ?? statement.partnerName}, the supplier.
      </p>
    )}
  </article>
)

const titleOf = ({ selfBilling, number }: Statement) =>
  selfBilling ? `Self-billing invoice ${number}` : `Commission statement ${number}`

const paymentOf = ({ status, paidAt, decidedAt, reference, amountCents }: Statement) => {
  if (status === 'open') return 'Not paid yet'
  if (status === 'failed') return amountCents === 0 ? 'Canceled: nothing to pay' : 'Canceled: the payment failed'
  const on = paidAt ? formatCalendarDate(paidAt) : decidedAt && formatDate(decidedAt)
  return `Paid${on ? ` on ${on}` : ''}${reference ? `, reference ${reference}` : ''}`
}

const StatementHeader = ({ statement }: { statement: Statement }) => {
  const { createdAt, version, versions, payoutId, periodFrom, periodTo, programName } = statement
  const issuedAt = versions.find((one) => one.version === version)?.issuedAt
  const facts = [
    { label: 'Date', value: formatDate(createdAt) },
    ...(version > 1 && issuedAt ? [{ label: 'Version', value: `${version}, issued ${formatDate(issuedAt)}` }] : []),
    ...(periodFrom && periodTo
      ? [{ label: 'Period', value: periodText(formatDate(periodFrom), formatDate(periodTo)) }]
      : []),
    { label: 'Program', value: programName },
    { label: 'Payout', value: String(payoutId) },
    { label: 'Payment', value: paymentOf(statement) },
  ]
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
      <h2 className="text-title">{titleOf(statement)}</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-neutral-600">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  )
}

const periodText = (from: string, to: string) => (from === to ? from : `${from} – ${to}`)

const Parties = ({
  statement: { merchant, partner, programName, partnerName, selfBilling },
}: {
  statement: Statement
}) => (
  <div className="mt-7 grid gap-6 sm:grid-cols-2 print:grid-cols-2">
    <Party label={selfBilling ? 'Issued by (customer)' : 'From'} name={merchant?.legalName ?? programName}>
      {merchant ? merchant.address : NOT_PROVIDED}
      {merchant?.taxId && `\nTax ID: ${merchant.taxId}`}
      {merchant?.email && `\n${merchant.email}`}
    </Party>
    <Party
      label={selfBilling ? 'On behalf of (supplier)' : 'To'}
      name={partner?.company ?? partner?.name ?? partnerName}
    >
      {partner?.company && `${partner.name}\n`}
      {partner ? partner.address : NOT_PROVIDED}
      {partner?.taxId && `\nTax ID: ${partner.taxId}`}
    </Party>
  </div>
)

const NOT_PROVIDED = 'Legal details: not provided'

const Party = ({ label, name, children }: { label: string; name: string; children: ReactNode }) => (
  <section>
    <h3 className="text-neutral-600 text-xs">{label}</h3>
    <p className="wrap-anywhere mt-0.5 font-medium">{name}</p>
    <p className="wrap-anywhere whitespace-pre-line">{children}</p>
  </section>
)

type Item = Statement['items'][number]

const KINDS: Record<string, string> = { sale: 'Sale', lead: 'Lead', bonus: 'Bonus', manual: 'Added manually' }

/** Only for members: partners, who get the printed statement, do not see who bought. */
const originOf = ({ invoiceId, customerKey }: Item) =>
  [invoiceId && `Invoice ${invoiceId}`, customerKey && !isErased(customerKey) && `customer ${customerKey}`]
    .filter(Boolean)
    .join(', ')

const detailsOf = ({ amountCents, commissionCents, reason }: Item, currency: string) =>
  [
    amountCents < 0 && 'Reversal of a commission in an earlier payout',
    amountCents > 0 &&
      amountCents < commissionCents &&
      `Part of a commission of ${formatMoney(commissionCents, currency)}`,
    reason,
  ].filter(Boolean)

const saleOf = ({ saleCents, saleCurrency }: Item) =>
  saleCents === null || saleCurrency === null ? null : formatMoney(saleCents, saleCurrency)

const rateOf = ({ rateBps }: Item) => (rateBps === null ? null : formatRate(rateBps / 10_000))

const Items = ({ statement: { items, currency, broughtForwardCents } }: { statement: Statement }) => (
  <table className="mt-7 w-full border-collapse">
    <caption className="sr-only">Commissions</caption>
    <thead className="text-left text-neutral-600 text-xs print:table-header-group">
      <tr className="border-neutral-400 border-b">
        <th className="py-1.5 pr-3 font-medium">Earned</th>
        <th className="py-1.5 pr-3 font-medium">Description</th>
        <th className="py-1.5 pr-3 text-right font-medium max-sm:hidden print:table-cell">Sale amount</th>
        <th className="py-1.5 pr-3 text-right font-medium max-sm:hidden print:table-cell">Rate</th>
        <th className="py-1.5 text-right font-medium">Amount</th>
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <tr key={item.commissionId} className="break-inside-avoid border-neutral-200 border-b">
          <td className="whitespace-nowrap py-1.5 pr-3 align-top">{formatDate(item.earnedAt)}</td>
          <td className="py-1.5 pr-3 align-top">
            <span className="wrap-anywhere block">
              {KINDS[item.kind] ?? capitalize(item.kind)}{' '}
              <span className="text-neutral-600 text-xs">· Commission {item.commissionId}</span>
            </span>
            {saleOf(item) && (
              <span className="block text-neutral-600 text-xs sm:hidden print:hidden">
                {rateOf(item) ? `${rateOf(item)} of ${saleOf(item)}` : `Sale amount ${saleOf(item)}`}
              </span>
            )}
            <span className="wrap-anywhere block text-neutral-600 text-xs first-letter:uppercase empty:hidden print:hidden">
              {originOf(item)}
            </span>
            {detailsOf(item, currency).map((detail) => (
              <span key={String(detail)} className="wrap-anywhere block text-neutral-600 text-xs">
                {detail}
              </span>
            ))}
          </td>
          <td className="py-1.5 pr-3 text-right align-top tabular-nums max-sm:hidden print:table-cell">
            {saleOf(item)}
          </td>
          <td className="py-1.5 pr-3 text-right align-top tabular-nums max-sm:hidden print:table-cell">
            {rateOf(item)}
          </td>
          <td className="py-1.5 text-right align-top tabular-nums">{formatMoney(item.amountCents, currency)}</td>
        </tr>
      ))}
      {broughtForwardCents !== 0 && (
        <tr className="border-neutral-200 border-b">
          <td className="py-1.5 pr-3" />
          <td className="py-1.5 pr-3">Balance brought forward</td>
          <td className="max-sm:hidden print:table-cell" colSpan={2} />
          <td className="py-1.5 text-right tabular-nums">{formatMoney(broughtForwardCents, currency)}</td>
        </tr>
      )}
    </tbody>
  </table>
)

const Totals = ({ statement }: { statement: Statement }) => {
  const { items, currency, status, totalCents, reversedSinceCents, amountCents } = statement
  const sum = (isPart: (cents: number) => boolean) =>
    items.reduce((total, item) => total + (isPart(item.amountCents) ? item.amountCents : 0), 0)
  const reversals = sum((cents) => cents < 0)
  const isFinal = reversedSinceCents === 0
  return (
    <dl className="mt-4 ml-auto w-full max-w-xs break-inside-avoid">
      {reversals !== 0 && (
        <>
          <Total label="Commissions" cents={sum((cents) => cents > 0)} currency={currency} />
          <Total label="Reversals" cents={reversals} currency={currency} />
        </>
      )}
      <Total label={`Total (${currency})`} cents={totalCents} currency={currency} strong={isFinal} />
      {!isFinal && (
        <>
          <Total label="Reversed since" cents={-reversedSinceCents} currency={currency} />
          <Total label={status === 'paid' ? 'Paid' : 'To pay'} cents={amountCents} currency={currency} strong />
        </>
      )}
    </dl>
  )
}

type TotalProps = { label: string; cents: number; currency: string; strong?: boolean }

const Total = ({ label, cents, currency, strong = false }: TotalProps) => (
  <div className={clsx('flex justify-between gap-6 py-1', strong && 'border-neutral-400 border-t font-semibold')}>
    <dt>{label}</dt>
    <dd className="tabular-nums">{formatMoney(cents, currency)}</dd>
  </div>
)
