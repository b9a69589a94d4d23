import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarX2, CloudOff, LockKeyhole, RotateCw, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '~/api/client.ts'
import { Button } from './controls/button.tsx'

/** Where a state is the whole page, its title is the page's. */
type Heading = { heading?: 'h1' | 'h2' | 'h3' }
type EmptyProps = Heading & { icon: ReactNode; title: string; children: ReactNode; action?: ReactNode }

/** Nothing is here yet: what would be, and the next step towards it. */
export const EmptyState = ({ icon, title, children, action, heading: Title = 'h2' }: EmptyProps) => (
  <div className="flex flex-col items-center px-6 py-14 text-center">
    <span
      aria-hidden
      className="mb-4 grid size-11 place-items-center rounded-xl border border-line bg-sunken text-faint [&_svg]:size-5"
    >
      {icon}
    </span>
    <Title className="font-semibold text-base">{title}</Title>
    <div className="mt-1 max-w-sm text-pretty text-soft text-sm">{children}</div>
    {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)

/** No row matches the filters: offers to clear them. */
export const NothingFits = ({ icon, noun, onClear }: { icon: ReactNode; noun: string; onClear: () => void }) => (
  <EmptyState icon={icon} title={`No ${noun} found`} action={<Button onClick={onClear}>Clear filters</Button>}>
    No results match these filters.
  </EmptyState>
)

type ErrorProps = Heading & { error: unknown; onRetry?: () => void }

/** It did not work: why, in the words of the service, and a way to try again. */
export const ErrorState = ({ error, onRetry, heading: Title = 'h2' }: ErrorProps) => {
  if (isAboutDates(error)) return <DatesError heading={Title} />
  const isForbidden = error instanceof ApiError && error.code === 'forbidden'
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-11 place-items-center rounded-xl border border-line bg-sunken text-faint [&_svg]:size-5"
      >
        {isForbidden ? <LockKeyhole /> : <CloudOff />}
      </span>
      <Title className="font-semibold text-base">
        {isForbidden ? 'You may not see this' : 'This could not be loaded'}
      </Title>
      <p className="mt-1 max-w-md text-pretty text-soft text-sm">
        {error instanceof Error ? error.message : 'Something went wrong.'}
      </p>
      {error instanceof ApiError && error.requestId && (
        <p className="mt-2 font-mono text-faint text-xs">Request {error.requestId}</p>
      )}
      {onRetry && !isForbidden && (
        <Button className="mt-5" onClick={onRetry}>
          <RotateCw aria-hidden /> Try again
        </Button>
      )}
    </div>
  )
}

const isAboutDates = (error: unknown) =>
  error instanceof ApiError && error.status === 400 && (error.field === 'dateFrom' || error.field === 'dateTo')

type Dates = { dateFrom?: string; dateTo?: string }

const datesProblem = ({ dateFrom, dateTo }: Dates) =>
  dateFrom && dateTo && dateFrom > dateTo
    ? 'The start date is after the end date.'
    : 'The dates in this address cannot be used.'

/** An address may hold dates that no picker would have let through. */
const DatesError = ({ heading: Title = 'h2' }: Heading) => {
  const search: Record<string, unknown> & Dates = useSearch({ strict: false })
  const navigate = useNavigate()
  const clear = () =>
    void navigate({ to: '.', search: { ...search, dateFrom: undefined, dateTo: undefined, page: undefined } as never })
  return (
    <div role="alert">
      <EmptyState
        icon={<CalendarX2 />}
        heading={Title}
        title={datesProblem(search)}
        action={<Button onClick={clear}>Clear the dates</Button>}
      >
        Choose other dates, or clear them to see everything.
      </EmptyState>
    </div>
  )
}

/** A page about one thing, and that thing is not there: which one, and the way back to the list. */
export const DoesNotExist = ({ noun, back }: Missing) => (
  <EmptyState icon={<SearchX />} title={`This ${noun} does not exist`} action={back}>
    The address may be incomplete, or it may belong to another program.
  </EmptyState>
)

type Missing = { noun: string; back: ReactNode }
type ViewProps<Data> = {
  query: UseQueryResult<Data>
  /** Shown where the service says that there is no such thing. */
  missing?: Missing
  loading: ReactNode
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** The four states of whatever is read from the service: loading, error, empty, full. */
export const QueryView = <Data,>({ query, loading, isEmpty, empty, missing, children }: ViewProps<Data>) => {
  if (query.isPending) return loading
  if (missing && query.error instanceof ApiError && query.error.status === 404) return <DoesNotExist {...missing} />
  // What was read before is still worth more than an error page: a failed refresh keeps it.
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (empty && isEmpty?.(query.data)) return empty
  return children(query.data)
}
