import type { SaleDetail } from '@tributary/contract'
import { Badge } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { type Fact, FactList } from '~/components/facts/fact-list.tsx'
import { Json } from '~/components/facts/json.tsx'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import { refundReason } from '../explain/reason-text.ts'

const optional = (label: string, value: string | null, copy = false): Fact[] =>
  value ? [{ label, value, ...(copy && { copy: value }) }] : []

export const SaleFacts = ({ sale }: { sale: SaleDetail }) => {
  const facts: Fact[] = [
    { label: 'Invoice', value: sale.invoiceId, copy: sale.invoiceId },
    ...optional('Customer key', sale.customerKey, true),
    ...optional('Promotion code', sale.promotionCode, true),
    ...optional('Subscription', sale.subscriptionId, true),
    ...optional('Event name', sale.eventName),
    ...optional(sale.adjustmentType === 'move' ? 'Moved' : 'Credited', sale.creditedAt && formatTime(sale.creditedAt)),
    ...(sale.disputed ? [{ label: 'Dispute', value: <Badge tone="warn">Open</Badge> }] : []),
    { label: 'Sale ID', value: String(sale.id) },
  ]
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Card weight="quiet" className="px-5 py-2">
        <FactList facts={facts} />
        {sale.metadata && Object.keys(sale.metadata).length > 0 && (
          <div className="pb-3">
            <Json label="Metadata" value={sale.metadata} />
          </div>
        )}
      </Card>
      {sale.refunds.length > 0 && <Refunds sale={sale} />}
      {sale.processorRefunds && <ProcessorRefunds refunds={sale.processorRefunds} currency={sale.currency} />}
    </div>
  )
}

const Refunds = ({ sale: { refunds, currency } }: { sale: SaleDetail }) => (
  <Card>
    <CardHeader title="Refunds" />
    <ul className="mt-2 divide-y divide-line px-5 pb-2 text-sm">
      {refunds.map(({ id, amountCents, refundedAt, reason, refundId }) => (
        <li key={id} className="py-2">
          <p className="flex justify-between gap-3">
            <span className="font-medium tabular-nums">{formatMoney(amountCents, currency)}</span>
            <time dateTime={refundedAt} className="text-faint text-xs">
              {formatTime(refundedAt)}
            </time>
          </p>
          <p className="wrap-anywhere text-faint text-xs">
            {[reason && refundReason(reason), refundId].filter(Boolean).join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  </Card>
)

type ProcessorRefundsProps = { refunds: NonNullable<SaleDetail['processorRefunds']>; currency: string }

const ProcessorRefunds = ({ refunds: { amountCents, refundIds }, currency }: ProcessorRefundsProps) => (
  <Card>
    <CardHeader
      title="Refunds from the payment processor"
      description="Refunds you also reported count only once."
      actions={<span className="font-medium text-sm tabular-nums">{formatMoney(amountCents, currency)}</span>}
    />
    <ul className="mt-2 divide-y divide-line px-5 pb-2 text-sm">
      {refundIds.map((id) => (
        <li key={id} className="wrap-anywhere py-2 font-mono text-soft text-xs">
          {id}
        </li>
      ))}
    </ul>
  </Card>
)
