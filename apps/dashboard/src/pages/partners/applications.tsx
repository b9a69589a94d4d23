import type { PartnerRow } from '@tributary/contract'
import { ClipboardList } from 'lucide-react'
import { call } from '~/api/call.ts'
import { usePartners } from '~/api/partners/partners.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { useDetailHref } from '~/components/back-link.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import type { Selection } from '~/components/lists/selection.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { ApplicationPage } from './application-page.tsx'
import { BulkPartners } from './bulk-partners.tsx'
import { PartnerActions } from './partner-actions.tsx'

const PAGE_SIZE = 25
const PENDING = 'pending'

type ApplicationsSearch = ListSearch & { search?: string | undefined }

const COLUMNS: Column<PartnerRow>[] = [
  { header: 'Applicant', cell: (partner) => <Applicant partner={partner} />, sort: 'name' },
  {
    header: 'Answers',
    cell: ({ application }) => <Answers answers={application?.answers ?? []} />,
    className: 'max-w-md',
  },
  { header: 'Applied', cell: ({ createdAt }) => <Ago at={createdAt} />, align: 'right', sort: 'createdAt' },
]

const ON_PHONE: PhoneRow<PartnerRow> = {
  name: ({ name }) => name,
  status: ({ email, application }) => (
    <span className="truncate">
      {application?.answers.map(({ answer }) => answer).join(' · ') || email || 'No email'}
    </span>
  ),
  date: ({ createdAt }) => <Ago at={createdAt} />,
}

/** Applicants wait here until a member decides. */
export const Applications = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<ApplicationsSearch>()
  const query = { ...search, status: PENDING }
  const applications = usePartners(program.id, { ...query, pageSize: PAGE_SIZE })
  const detailHref = useDetailHref(program.id)
  const mayDecide = may('partner:manage')
  const selection: Selection<PartnerRow> = {
    nameOf: ({ name }) => name,
    actions: (selected, clear) => <BulkPartners selected={selected} status={PENDING} onDone={clear} />,
    scope: search.search ?? '',
    loadAll: async () =>
      (
        await call('get /api/programs/{programId}/partners/ids', {
          programId: program.id,
          query: { search: search.search, status: PENDING },
        })
      ).ids,
  }
  return (
    <Page
      isList
      title="Applications"
      description={
        program.applicationsOpen
          ? 'People who want to become partners. Decided applications are under Partners.'
          : 'The application page is closed. Only partners you add can join.'
      }
      actions={<ApplicationPage />}
    >
      <ListCard
        label="Applications"
        noun="applications"
        query={applications}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        hrefOf={({ id }) => detailHref(`partners/${id}`)}
        sorting={sortingFrom('-createdAt')}
        {...(mayDecide && {
          actions: (partner: PartnerRow) => <PartnerActions partner={partner} />,
          selection,
        })}
        filters={
          <SearchBox
            label="Search applications"
            placeholder="Name or email"
            value={search.search ?? ''}
            onSearch={(text) => setFilter({ search: text || undefined })}
          />
        }
        empty={
          <EmptyState icon={<ClipboardList />} title="No applications to decide">
            {program.applicationsOpen
              ? 'Share the application page. New applications appear here until you decide.'
              : 'Once you accept applications, they appear here until you decide.'}
          </EmptyState>
        }
        {...(search.search && {
          emptyFiltered: <NoMatches icon={<ClipboardList />} noun="applications" onClear={clear} />,
        })}
      />
    </Page>
  )
}

const Applicant = ({ partner: { name, email } }: { partner: PartnerRow }) => (
  <span className="block min-w-0 max-w-64 max-sm:max-w-56">
    <span className="block truncate font-medium" title={name}>
      {name}
    </span>
    <span className="block truncate font-normal text-faint text-xs" title={email ?? undefined}>
      {email ?? 'No email'}
    </span>
  </span>
)

/** So that a list of applications can be decided without opening each. */
const Answers = ({ answers }: { answers: NonNullable<PartnerRow['application']>['answers'] }) =>
  answers.length === 0 ? (
    '–'
  ) : (
    <span
      className="line-clamp-2 whitespace-normal text-soft"
      title={answers.map(({ question, answer }) => `${question}: ${answer}`).join('\n')}
    >
      {answers.map(({ answer }) => answer).join(' · ')}
    </span>
  )
