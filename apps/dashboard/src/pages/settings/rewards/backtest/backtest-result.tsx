import type { BacktestBlock } from '@tributary/contract'
import { ChartNoAxesColumn, Download } from 'lucide-react'
import type { Backtest, BacktestRequest } from '~/api/money/backtest.ts'
import { CompareChart } from '~/components/chart/compare-chart.tsx'
import { Button } from '~/components/controls/button.tsx'
import { formatCalendarDate, formatMoney, formatMoneyCompact } from '~/components/format/format.ts'
import { saveFile } from '~/components/lists/download.tsx'
import { EmptyState } from '~/components/states.tsx'
import { backtestFile } from './backtest-file.ts'
import { BacktestTable } from './backtest-table.tsx'
import { buildBars, EARNED, formatChange, formatDifference, WOULD_HAVE_EARNED } from './backtest-text.ts'

type Props = {
  result: Backtest
  request: BacktestRequest
  /** The compared terms as text. */
  terms: string
}

/** Totals, a chart and a table for each currency. */
export const BacktestResult = ({ result: { blocks, customers }, request: { from, to }, terms }: Props) => {
  const full = blocks.filter(({ partners }) => partners.length > 0)
  const period = `${formatCalendarDate(from)} to ${formatCalendarDate(to)}`
  if (full.length === 0) return <NothingToCompare customers={customers} period={period} />
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5">
        <p className="max-w-xl text-pretty text-soft text-sm">
          What partners earned from {period}, and what they would have earned with these terms:{' '}
          <span className="font-medium text-ink">{terms}</span>. Refunds, lost disputes and rejected commissions are
          deducted; bonuses are left out. Sales made under a group’s or partner’s own terms count with what they
          actually earned.
        </p>
        <Button onClick={() => saveFile(backtestFile(full), `backtest-${from}-to-${to}.csv`)}>
          <Download aria-hidden /> Export CSV
        </Button>
      </div>
      {full.map((block) => (
        <Block key={block.currency} block={block} isOnly={full.length === 1} />
      ))}
    </>
  )
}

const NothingToCompare = ({ customers, period }: { customers: number; period: string }) =>
  customers === 0 ? (
    <EmptyState icon={<ChartNoAxesColumn />} title="No leads or sales to compare" heading="h3">
      No partner brought a lead or sale from {period}.
    </EmptyState>
  ) : (
    <EmptyState icon={<ChartNoAxesColumn />} title="No commissions under either terms" heading="h3">
      Neither these terms nor the actual ones pay for the leads and sales from {period}.
    </EmptyState>
  )

const Block = ({ block, isOnly }: { block: BacktestBlock; isOnly: boolean }) => {
  const { currency, partners, totals } = block
  const money = (cents: number) => formatMoney(cents, currency)
  const change = formatChange(totals)
  return (
    <section aria-label={`Comparison in ${currency}`} className="flex min-w-0 flex-col gap-5 border-line border-t pt-5">
      {!isOnly && <h3 className="px-5 text-section">{currency}</h3>}
      <dl className="grid gap-x-4 gap-y-3 px-5 sm:grid-cols-3">
        <Figure label={EARNED} value={money(totals.actualCents)} />
        <Figure label={WOULD_HAVE_EARNED} value={money(totals.proposedCents)} />
        <Figure
          label="Difference"
          value={formatDifference(totals.differenceCents, currency)}
          {...(change && { note: `${change} vs earned` })}
        />
      </dl>
      <div className="px-5">
        <CompareChart
          label={`${EARNED} and ${WOULD_HAVE_EARNED.toLowerCase()} by partner, in ${currency}. The table has the same numbers.`}
          bars={buildBars(partners)}
          legend={{ before: EARNED, after: WOULD_HAVE_EARNED }}
          format={money}
          formatAxis={(cents) => formatMoneyCompact(cents, currency)}
        />
      </div>
      <div className="border-line border-t">
        <BacktestTable block={block} />
      </div>
    </section>
  )
}

const Figure = ({ label, value, note }: { label: string; value: string; note?: string }) => (
  <div>
    <dt className="text-soft text-sm">{label}</dt>
    <dd className="wrap-anywhere mt-0.5 text-total">
      {value} {note && <span className="ml-1 font-normal text-faint text-sm">{note}</span>}
    </dd>
  </div>
)
