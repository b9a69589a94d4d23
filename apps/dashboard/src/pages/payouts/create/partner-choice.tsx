import type { Exclusion, PayoutPreview } from '@tributary/contract'
import { useState } from 'react'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Input } from '~/components/controls/field.tsx'
import { formatCount, formatMoney, formatNumber } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'
import { DestinationWarning } from '../destination.tsx'

type Balance = PayoutPreview[number]

const keyOf = ({ partnerId, currency }: Balance) => `${partnerId} ${currency}`
const distinct = (balances: PayoutPreview) => [...new Set(balances.map(({ partnerId }) => partnerId))]

type Props = { due: PayoutPreview; excluded: number[]; onChange: (excluded: number[]) => void }

/** Checkboxes for each partner with a payable balance. */
export const PartnerChoice = ({ due, excluded, onChange }: Props) => {
  const [search, setSearch] = useState('')
  const shown = due.filter(({ partnerName }) => partnerName.toLowerCase().includes(search.trim().toLowerCase()))
  const partners = distinct(due)
  const selected = partners.filter((id) => !excluded.includes(id))
  const toggle = (partnerId: number) =>
    onChange(excluded.includes(partnerId) ? excluded.filter((id) => id !== partnerId) : [...excluded, partnerId])
  // Only partners that match the search, so that a search can select some of many.
  const selectAll = () => onChange(excluded.filter((id) => !distinct(shown).includes(id)))
  const selectNone = () => onChange([...new Set([...excluded, ...distinct(shown)])])
  return (
    <div className="mt-3 rounded-lg border border-line">
      {partners.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
          <Input
            type="search"
            aria-label="Search partners"
            placeholder="Search partners"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
            className="max-w-44 grow"
          />
          <Button size="small" look="quiet" onClick={selectAll}>
            Select all
          </Button>
          <Button size="small" look="quiet" onClick={selectNone}>
            Select none
          </Button>
          <span className="ml-auto text-faint text-xs" role="status">
            {formatNumber(selected.length)} of {formatNumber(partners.length)} selected
          </span>
        </div>
      )}
      <Scrollable label="Partners in this payout" className="max-h-60 overflow-y-auto">
        <ul className="divide-y divide-line">
          {shown.map((balance) => (
            <li key={keyOf(balance)}>
              <DueBalance
                due={balance}
                included={!excluded.includes(balance.partnerId)}
                onToggle={() => toggle(balance.partnerId)}
              />
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p className="px-3 py-2 text-faint">No partner matches this search.</p>}
      </Scrollable>
    </div>
  )
}

type DueBalanceProps = { due: Balance; included: boolean; onToggle: () => void }

const DueBalance = ({ due, included, onToggle }: DueBalanceProps) => (
  <label className="flex cursor-pointer items-start gap-3 px-3 py-2">
    <input type="checkbox" checked={included} onChange={onToggle} className="mt-0.5 size-4 accent-accent" />
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-2">
        <span className="truncate text-ink">{due.partnerName}</span>
        {due.partnerArchived && <StateChip state="archived" />}
      </span>
      {due.needsDetails ? (
        <span className="block text-warn-ink text-xs">
          No payout details yet. Select the partner only if you know where to send the money.
        </span>
      ) : (
        <DestinationWarning line={due} />
      )}
    </span>
    <span className="tabular-nums">{formatMoney(due.amountCents, due.currency)}</span>
  </label>
)

const REASONS: Record<Exclusion, string> = {
  below_minimum: 'Below the minimum payout',
  pending: 'Pending approval. This amount is past the hold period.',
  rejected: 'Rejected. This amount is past the hold period.',
  suspended: 'Suspended. This amount is past the hold period.',
  open_export: 'An exported payment must be marked first',
}

/** Positive balances that no payout includes right now. */
export const LeftOut = ({ balances }: { balances: PayoutPreview }) => {
  if (balances.length === 0) return null
  return (
    <details className="mt-2 rounded-lg border border-line">
      <summary className="px-3 py-2 text-ink">
        {formatCount(distinct(balances).length, 'more partner')} can’t be paid yet
      </summary>
      <ul className="max-h-40 divide-y divide-line overflow-y-auto border-line border-t">
        {balances.map((balance) => (
          <li key={keyOf(balance)} className="flex items-start gap-3 px-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate text-ink">{balance.partnerName}</span>
              <span className="block text-faint text-xs">
                {balance.excludedReason && REASONS[balance.excludedReason]}
              </span>
            </span>
            <span className="tabular-nums">{formatMoney(balance.amountCents, balance.currency)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
