import type { ExportFile, Permission } from '@tributary/contract'
import { Download } from 'lucide-react'
import { fileAddress } from '~/api/client.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { DateRange } from '~/components/controls/date-range.tsx'
import { Page } from '~/components/page.tsx'

type ExportsSearch = ListSearch & { dateFrom?: string | undefined; dateTo?: string | undefined }

type File = { name: ExportFile; label: string; what: string; permission: Permission; dated?: true }

const FILES: File[] = [
  { name: 'events', label: 'Events', what: 'Every click, lead and sale', permission: 'tracking:list', dated: true },
  {
    name: 'customers',
    label: 'Customers',
    what: 'Who signed up or paid, and whose they are',
    permission: 'tracking:list',
  },
  { name: 'sales', label: 'Sales', what: 'Every sale with its credit', permission: 'tracking:list', dated: true },
  { name: 'partners', label: 'Partners', what: 'With what they brought', permission: 'tracking:list' },
  { name: 'links', label: 'Links', what: 'With what they brought', permission: 'tracking:list' },
  { name: 'commissions', label: 'Commissions', what: 'What was earned, and its state', permission: 'commission:read' },
  { name: 'payouts', label: 'Payouts', what: 'Every line of every payout', permission: 'commission:read' },
  { name: 'ledger', label: 'Ledger', what: 'Every movement of money, as it was booked', permission: 'commission:read' },
]

export const Exports = () => {
  const { program, may } = useProgram()
  const { search, setFilter } = useListSearch<ExportsSearch>()
  const { dateFrom, dateTo } = search
  return (
    <Page
      title="Exports"
      description="All of your data as CSV files, whole, whenever you want it."
      actions={
        may('tracking:list') && (
          <DateRange
            from={dateFrom}
            to={dateTo}
            onChange={({ from, to }) => setFilter({ dateFrom: from, dateTo: to })}
          />
        )
      }
    >
      <Card>
        <ul className="divide-y divide-line">
          {FILES.filter(({ permission }) => may(permission)).map(({ name, label, what, dated }) => (
            <li key={name} className="flex items-center justify-between gap-4 px-5 py-3">
              <div className="min-w-0">
                <p className="font-medium text-sm">{label}</p>
                <p className="text-faint text-xs">
                  {what}
                  {dated && (dateFrom || dateTo) ? ', of the days above' : ''}
                </p>
              </div>
              <a
                href={fileAddress(`/api/programs/${program.id}/export/${name}.csv`, dated ? { dateFrom, dateTo } : {})}
                download
                aria-label={`Download ${name}.csv`}
                className={buttonClass()}
              >
                <Download aria-hidden /> <span className="max-sm:sr-only">{name}.csv</span>
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  )
}
