import type { Analytics } from '@tributary/contract'
import { clsx } from 'clsx'
import { formatNumber, formatPercent } from '~/components/format/format.ts'
import { CELL, HEAD, Nothing, TableCard } from './table-card.tsx'

type Bucket = Analytics['timeToLead'][number]

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
]

const inUnit = (seconds: number) => {
  const { unit, seconds: size } = UNITS.find((one) => seconds >= one.seconds) ?? { unit: 'second', seconds: 1 }
  return { unit, count: seconds / size }
}

/** "10 minutes" */
const duration = (seconds: number) => {
  const { unit, count } = inUnit(seconds)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const bucketName = ({ fromSeconds, toSeconds }: Bucket) => {
  if (toSeconds === null) return `Over ${duration(fromSeconds)}`
  if (fromSeconds === 0) return `Under ${duration(toSeconds)}`
  const from = inUnit(fromSeconds)
  return `${from.unit === inUnit(toSeconds).unit ? from.count : duration(fromSeconds)} to ${duration(toSeconds)}`
}

const LEAD_COLOR = 'bg-series-1/40'
const SALE_COLOR = 'bg-series-1'

const Swatch = ({ className }: { className: string }) => (
  <span aria-hidden className={clsx('mr-0.5 inline-block size-2 rounded-xs', className)} />
)

const Bar = ({ share, className }: { share: number; className: string }) => (
  <span aria-hidden className={clsx('mt-0.5 block h-1.5 rounded-xs', className)} style={{ width: `${share * 100}%` }} />
)

type Props = { analytics: Analytics; dates: string; stale: boolean }

/** How long leads and first sales took since the first click. */
export const TimesCard = ({ analytics: { timeToLead, timeToSale }, dates, stale }: Props) => {
  const sum = (buckets: Bucket[]) => buckets.reduce((total, { conversions }) => total + conversions, 0)
  const [leads, sales] = [sum(timeToLead), sum(timeToSale)]
  const rows = timeToLead.map((lead, index) => ({ lead, sale: timeToSale[index] ?? { ...lead, conversions: 0 } }))
  const share = (part: number, whole: number) =>
    part > 0 && <span className="block text-faint text-xs">{formatPercent(part / whole)}</span>
  return (
    <TableCard
      title="Time to conversion"
      description="From the customer’s first click to the lead and the first sale."
      stale={stale}
      file={{
        name: `time-to-conversion-${dates}`,
        columns: ['from_seconds', 'to_seconds', 'leads', 'first_sales'],
        rows:
          leads + sales > 0
            ? rows.map(({ lead, sale }) => [lead.fromSeconds, lead.toSeconds, lead.conversions, sale.conversions])
            : [],
      }}
    >
      {leads + sales === 0 ? (
        <Nothing>No leads or sales in this period.</Nothing>
      ) : (
        <table className="mt-2 mb-3 w-full table-fixed text-sm">
          <caption className="sr-only">Time from the first click to the lead and the first sale</caption>
          <thead>
            <tr className="text-faint text-xs">
              <th scope="col" className={HEAD}>
                Time
              </th>
              <th scope="col" className={`${HEAD} w-20`}>
                <Swatch className={LEAD_COLOR} /> Leads
              </th>
              <th scope="col" className={`${HEAD} w-28`}>
                <Swatch className={SALE_COLOR} /> First sales
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ lead, sale }) => (
              <tr key={lead.fromSeconds}>
                <th scope="row" className="py-1.5 pl-5 text-left font-normal">
                  {bucketName(lead)}
                  <Bar share={lead.conversions / Math.max(1, leads)} className={LEAD_COLOR} />
                  <Bar share={sale.conversions / Math.max(1, sales)} className={SALE_COLOR} />
                </th>
                <td className={CELL}>
                  {formatNumber(lead.conversions)} {share(lead.conversions, leads)}
                </td>
                <td className={CELL}>
                  {formatNumber(sale.conversions)} {share(sale.conversions, sales)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </TableCard>
  )
}
