import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '@tributary/contract'
import { FileClock } from 'lucide-react'
import { useState } from 'react'
import { addressOf, useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { Select } from '~/components/controls/field.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { DownloadLink } from '~/components/lists/download.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { actionName, actorName, subjectName } from './audit-text.ts'

const PAGE_SIZE = 25
const LIST = 'get /api/programs/{programId}/audit'

type AuditSearch = ListSearch & { search?: string | undefined; userId?: string | undefined }

const COLUMNS: Column<AuditEntry>[] = [
  { header: 'Action', cell: (entry) => <span className="font-medium">{actionName(entry)}</span>, sort: 'action' },
  { header: 'Subject', cell: (entry) => <span className="text-soft">{subjectName(entry)}</span> },
  { header: 'Who', cell: (entry) => <span className={entry.userName ? '' : 'text-faint'}>{actorName(entry)}</span> },
  {
    header: 'When',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
    align: 'right',
    sort: 'createdAt',
  },
]

const ON_PHONE: PhoneRow<AuditEntry> = {
  name: actionName,
  status: (entry) => (
    <span className="truncate">
      {subjectName(entry)} · {actorName(entry)}
    </span>
  ),
  date: ({ createdAt }) => <Ago at={createdAt} />,
}

export const AuditLog = () => {
  const { program } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<AuditSearch>()
  const audit = useCall(
    LIST,
    { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  )
  const file = { ...search, page: undefined, format: 'csv' }
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  return (
    <Page
      title="Audit log"
      description="Every change to settings, partners, links, API keys, members and payouts. Open an entry to see the old and new values."
      actions={<DownloadLink href={addressOf(LIST, { programId: program.id, query: file })} />}
    >
      <ListCard
        label="Audit log"
        noun="entries"
        query={audit}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-createdAt')}
        onOpen={setOpened}
        filters={
          <>
            <SearchBox
              label="Search audit log"
              placeholder="Action, subject or partner"
              value={search.search ?? ''}
              onSearch={(text) => setFilter({ search: text || undefined })}
            />
            <WhoFilter value={search.userId} onChange={(userId) => setFilter({ userId })} />
          </>
        }
        empty={
          <EmptyState icon={<FileClock />} title="No changes yet" action={<SettingsLink />}>
            Changes to settings, partners, links, API keys, members and payouts appear here.
          </EmptyState>
        }
        {...((search.search || search.userId) && {
          emptyFiltered: <NoMatches icon={<FileClock />} noun="entries" onClear={clear} />,
        })}
      />
      <AuditPanel entry={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}

type FilterProps = { value: string | undefined; onChange: (userId: string | undefined) => void }

const WhoFilter = ({ value, onChange }: FilterProps) => {
  const { workspace } = useProgram()
  const { data } = useCall('get /api/workspaces/{workspaceId}/members', {
    workspaceId: workspace.id,
    query: { pageSize: 200 },
  })
  return (
    <Select
      aria-label="Filter by member"
      className="w-full sm:w-48"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">All members</option>
      {data?.data.map(({ userId, name }) => (
        <option key={userId} value={userId}>
          {name}
        </option>
      ))}
    </Select>
  )
}

const SettingsLink = () => {
  const { program } = useProgram()
  return (
    <Link
      to="/programs/$programId/settings/details"
      params={{ programId: String(program.id) }}
      className={buttonClass({ look: 'primary' })}
    >
      Go to program settings
    </Link>
  )
}
