import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarX2, CloudOff, LockKeyhole, RotateCw, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '~/api/client.ts'
import { Button } from './controls/button.tsx'

/** `h1` when the state fills the whole page. */
type Heading = { heading?: 'h1' | 'h2' | 'h3' }
type EmptyProps = Heading & { icon: ReactNode; title: string; children: ReactNode; action?: ReactNode }

/** Says what will appear here and offers the next step. */
export const EmptyState = ({ icon, title, children, action, heading: Title = 'h2' }: EmptyProps) => (
  <div className="flex flex-col items-center px-6 py-14 text-center">
    <span
      aria-hidden
      className="mb-4 grid size-11 place-items-center rounded-xl border border-line bg-sunken text-faint [&_svg]:size-5"
    >
      {icon}
    </span>
    <Title className="text-section">{title}</Title>
    <div className="mt-1 max-w-sm text-pretty text-soft text-sm">{children}</div>
    {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)

/** The same in one line, for a card of a page that has more to show. */
export const EmptyLine = ({ title, children, action }: Omit<EmptyProps, 'icon' | 'heading'>) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-2 pb-4 text-sm">
    <p className="min-w-0 flex-1 basis-56 text-pretty text-soft">
      {title}. <span className="text-faint">{children}</span>
    </p>
    {action}
  </div>
)

/** No row matches the filters; offers to clear them. */
export const NoMatches = ({ icon, noun, onClear }: { icon: ReactNode; noun: string; onClear: () => void }) => (
  <EmptyState icon={icon} title={`No ${noun} found`} action={<Button onClick={onClear}>Clear filters</Button>}>
    No results match these filters.
  </EmptyState>
)

type ErrorProps = Heading & { error: unknown; onRetry?: () => void }

/** Shows the service's message and a retry button. */
export const ErrorState = ({ error, onRetry, heading: Title = 'h2' }: ErrorProps) => {
  if (isAboutDates(error)) return <DatesError heading={Title} />
  const isForbidden = error instanceof ApiError && ['forbidden', 'two_factor_required'].includes(error.code)
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-11 place-items-center rounded-xl border border-line bg-sunken text-faint [&_svg]:size-5"
      >
        {isForbidden ? <LockKeyhole /> : <CloudOff />}
      </span>
      <Title className="text-section">{isForbidden ? 'You don’t have access' : 'Could not load this'}</Title>
      <p className="mt-1 max-w-md text-pretty text-soft text-sm">
        {error instanceof Error ? error.message : 'Something went wrong. Try again.'}
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
  dateFrom && dateTo && dateFrom > dateTo ? 'The start date is after the end date' : 'Invalid dates'

/** A URL may contain dates that the date picker would reject. */
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
        action={<Button onClick={clear}>Clear dates</Button>}
      >
        Choose other dates, or clear them to see everything.
      </EmptyState>
    </div>
  )
}

/** The record of a detail page does not exist; links back to the list. */
export const RecordNotFound = ({ noun, back }: Missing) => (
  <EmptyState icon={<SearchX />} title={`This ${noun} does not exist`} action={back}>
    The link may be incomplete, or belong to another program.
  </EmptyState>
)

type Missing = { noun: string; back: ReactNode }
type ViewProps<Data> = {
  query: UseQueryResult<Data>
  /** Shown on a 404. */
  missing?: Missing
  loading: ReactNode
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders the four states of a query: loading, error, empty, loaded. */
export const QueryView = <Data,>({ query, loading, isEmpty, empty, missing, children }: ViewProps<Data>) => {
  if (query.isPending) return loading
  if (missing && query.error instanceof ApiError && query.error.status === 404) return <RecordNotFound {...missing} />
  // After a failed refetch, keep showing the previous data.
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (empty && isEmpty?.(query.data)) return empty
  return children(query.data)
}
