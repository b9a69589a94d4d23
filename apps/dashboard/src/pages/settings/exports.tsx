import type { ExportFile, Permission } from '@tributary/contract'
import { Download } from 'lucide-react'
import { addressOf } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { DateRange } from '~/components/dates/date-range.tsx'
import { Page } from '~/components/page.tsx'
import { GroupFilter } from '../groups/group-filter.tsx'

type ExportsSearch = ListSearch & { [name in 'dateFrom' | 'dateTo' | 'groupId']?: string | undefined }

type File = {
  name: ExportFile
  label: string
  description: string
  permission: Permission
  dated?: true
  grouped?: true
}

const FILES: File[] = [
  {
    name: 'events',
    label: 'Events',
    description: 'Every click, lead and sale',
    permission: 'tracking:list',
    dated: true,
  },
  {
    name: 'customers',
    label: 'Customers',
    description: 'Leads and customers with their partner',
    permission: 'tracking:list',
  },
  {
    name: 'sales',
    label: 'Sales',
    description: 'Every sale with its credited partner',
    permission: 'tracking:list',
    dated: true,
    grouped: true,
  },
  {
    name: 'partners',
    label: 'Partners',
    description: 'With clicks, leads, sales and commissions',
    permission: 'tracking:list',
    grouped: true,
  },
  { name: 'links', label: 'Links', description: 'With clicks, leads and sales', permission: 'tracking:list' },
  {
    name: 'codes',
    label: 'Promotion codes',
    description: 'With uses, revenue and commissions',
    permission: 'tracking:list',
  },
  {
    name: 'commissions',
    label: 'Commissions',
    description: 'Every commission with its status',
    permission: 'commission:read',
    grouped: true,
  },
  { name: 'payouts', label: 'Payouts', description: 'Every payment of every payout', permission: 'commission:read' },
  {
    name: 'ledger',
    label: 'Ledger',
    description: 'Every debit and credit behind the balances',
    permission: 'commission:read',
  },
]

export const Exports = () => {
  const { program, may } = useProgram()
  const { search, setFilter } = useListSearch<ExportsSearch>()
  const { dateFrom, dateTo, groupId } = search
  return (
    <Page
      title="Exports"
      description="Download your data as CSV."
      actions={
        <>
          <GroupFilter value={groupId} onChange={(next) => setFilter({ groupId: next })} />
          {may('tracking:list') && (
            <DateRange
              from={dateFrom}
              to={dateTo}
              onChange={({ from, to }) => setFilter({ dateFrom: from, dateTo: to })}
            />
          )}
        </>
      }
    >
      <Card>
        <ul className="divide-y divide-line">
          {FILES.filter(({ permission }) => may(permission)).map(({ name, label, description, dated, grouped }) => (
            <li key={name} className="flex items-center justify-between gap-4 px-5 py-3">
              <div className="min-w-0">
                <p className="font-medium text-sm">{label}</p>
                <p className="text-faint text-xs">
                  {description}
                  {dated && (dateFrom || dateTo) ? ', in the selected dates' : ''}
                  {grouped && groupId ? ', of the selected group' : ''}
                </p>
              </div>
              <a
                href={addressOf('get /api/programs/{programId}/export/{file}', {
                  programId: program.id,
                  file: `${name}.csv`,
                  query: { ...(dated && { dateFrom, dateTo }), ...(grouped && { groupId }) },
                })}
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
