import { Link } from '@tanstack/react-router'
import { VERSION } from '@tributary/contract/version'
import { BookOpen, Search } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useApplicationCount } from '~/api/partners/partners.ts'
import { Badge } from '~/components/badge.tsx'
import { formatNumber } from '~/components/format/format.ts'
import { Bell } from '~/components/notifications/bell.tsx'
import { type Destination, NAVIGATION } from '../navigation.ts'
import { useProgram } from '../program-context.ts'
import { ProgramSwitch } from './program-switch.tsx'
import { UserMenu } from './user-menu.tsx'

const ITEM =
  'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink [&_svg]:size-4 [&_svg]:text-faint [&[aria-current=page]_svg]:text-accent'

/** Matches the reader's keyboard. */
const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

type Props = { onSearch: () => void; onNavigate?: () => void }

export const Sidebar = ({ onSearch, onNavigate }: Props) => {
  const { program, may } = useProgram()
  const applications = useApplicationCount(program.id, may('tracking:read'))
  const mayReadMoney = may('commission:read')
  const reviews = useCall(
    'get /api/programs/{programId}/commissions/review-count',
    { programId: program.id },
    { enabled: mayReadMoney },
  )
  const schedule = useCall(
    'get /api/programs/{programId}/payouts/schedule',
    { programId: program.id },
    { enabled: mayReadMoney },
  )
  const drafts = schedule.data?.openDraftId ? 1 : 0
  const groups = NAVIGATION.map(({ title, items }) => ({
    title,
    items: items.filter(({ permission }) => may(permission)),
  })).filter(({ items }) => items.length > 0)
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <ProgramSwitch />
        </div>
        {/* On a phone, the bell is next to the menu. */}
        {!onNavigate && <TeamBell align="start" />}
      </div>
      <button
        type="button"
        onClick={() => {
          onNavigate?.()
          onSearch()
        }}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-canvas px-2.5 text-faint text-sm hover:border-line-strong"
      >
        <Search aria-hidden className="size-3.5" /> Search
        <kbd className="ml-auto rounded border border-line bg-surface px-1 font-sans text-[0.6875rem]">
          {PALETTE_KEYS}
        </kbd>
      </button>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto">
        {groups.map(({ title, items }) => (
          <div key={title ?? 'top'}>
            {title && <p className="px-2.5 pb-1 font-medium text-faint text-xs">{title}</p>}
            <ul className="flex flex-col gap-px">
              {items.map((item) => (
                <li key={item.to}>
                  <Item
                    item={item}
                    {...badgeFor(item.to, { applications, reviews: reviews.data, drafts })}
                    {...(onNavigate && { onNavigate })}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex flex-col gap-1 border-line border-t pt-3">
        <a href="/docs" target="_blank" rel="noreferrer" className={ITEM}>
          <BookOpen aria-hidden /> API reference
        </a>
        <UserMenu />
        <p className="px-2.5 pt-1 text-faint text-xs">Tributary {VERSION}</p>
      </div>
    </div>
  )
}

export const TeamBell = ({ align }: { align: 'start' | 'end' }) => {
  const { program } = useProgram()
  const settingsPath = `/programs/${program.id}/settings/notifications`
  return <Bell inbox={{ audience: 'team', programId: program.id }} settingsPath={settingsPath} align={align} />
}

type Waiting = { applications: number; reviews: { count: number; isMore: boolean } | undefined; drafts: number }

const badgeFor = (to: Destination['to'], { applications, reviews, drafts }: Waiting) => {
  if (to === '/programs/$programId/partners') return { badge: applications, waitingFor: 'pending approval' }
  if (to === '/programs/$programId/commissions')
    return { badge: reviews?.count ?? 0, isMore: reviews?.isMore ?? false, waitingFor: 'to review' }
  if (to === '/programs/$programId/payouts') return { badge: drafts, waitingFor: 'draft to review' }
  return { badge: 0, waitingFor: '' }
}

type ItemProps = { item: Destination; badge: number; isMore?: boolean; waitingFor: string; onNavigate?: () => void }

/** `badge` is the number of items waiting for a decision; `isMore` if there are more. */
const Item = ({ item: { label, to, icon: Icon }, badge, isMore, waitingFor, onNavigate }: ItemProps) => {
  const { program } = useProgram()
  const shown = `${formatNumber(badge)}${isMore ? '+' : ''}`
  return (
    <Link
      to={to}
      params={{ programId: String(program.id) }}
      activeOptions={{ exact: to === '/programs/$programId', includeSearch: false }}
      className={ITEM}
      {...(badge > 0 && { 'aria-label': `${label}, ${shown} ${waitingFor}` })}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <Icon aria-hidden /> {label}{' '}
      {badge > 0 && (
        <span className="ml-auto">
          <Badge tone="warn">{shown}</Badge>
        </span>
      )}
    </Link>
  )
}
