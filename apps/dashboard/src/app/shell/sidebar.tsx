import { Link } from '@tanstack/react-router'
import { VERSION } from '@tributary/contract/version'
import { BookOpen, Search } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { Bell } from '~/components/notifications/bell.tsx'
import { type Destination, permittedPlaces, SET_UP } from '../navigation.ts'
import { useProgram } from '../program-context.ts'
import { ProgramSwitch } from './program-switch.tsx'
import { useWaiting } from './use-waiting.ts'
import { UserMenu } from './user-menu.tsx'
import { WaitingBadge } from './waiting-badge.tsx'

const ITEM =
  'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink [&_svg]:size-4 [&_svg]:text-faint [&[aria-current=page]_svg]:text-ink'

/** Matches the reader's keyboard. */
const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

type Props = { onSearch: () => void; onNavigate?: () => void }

export const Sidebar = ({ onSearch, onNavigate }: Props) => {
  const { may } = useProgram()
  const waiting = useWaiting()
  const isSettingUp = useIsSettingUp()
  const items: Destination[] = [...permittedPlaces(may), ...(isSettingUp ? [SET_UP] : [])]
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
        <kbd className="ml-auto rounded border border-line bg-surface px-1 font-sans text-xs">{PALETTE_KEYS}</kbd>
      </button>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto">
        <ul className="flex flex-col gap-px">
          {items.map((item) => (
            <li key={item.to}>
              <Item item={item} waiting={waiting} {...(onNavigate && { onNavigate })} />
            </li>
          ))}
        </ul>
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

/** Setup leaves the menu once every step is done, and returns if one no longer is. */
const useIsSettingUp = () => {
  const { program, may } = useProgram()
  const mayRead = may('tracking:read')
  const { data } = useCall('get /api/programs/{programId}/set-up', { programId: program.id }, { enabled: mayRead })
  return mayRead && data?.done === false
}

export const TeamBell = ({ align }: { align: 'start' | 'end' }) => {
  const { program } = useProgram()
  const settingsPath = `/programs/${program.id}/settings/notifications`
  return <Bell inbox={{ audience: 'team', programId: program.id }} settingsPath={settingsPath} align={align} />
}

type ItemProps = { item: Destination; waiting: ReturnType<typeof useWaiting>; onNavigate?: () => void }

const Item = ({ item, waiting, onNavigate }: ItemProps) => {
  const { program } = useProgram()
  const { label, to, icon: Icon } = item
  return (
    <Link
      to={to}
      params={{ programId: String(program.id) }}
      activeOptions={{ exact: to === '/programs/$programId', includeSearch: false }}
      className={ITEM}
      {...waiting.labelFor(item)}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <Icon aria-hidden /> {label} <WaitingBadge waiting={waiting.at(to)} />
    </Link>
  )
}
