import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PortalProgram } from '~/api/portal.ts'
import { Bell } from '~/components/notifications/bell.tsx'
import { usePartnership } from '../portal-context.ts'
import { PartnershipSwitch } from './partnership-switch.tsx'
import { PORTAL_SCREENS } from './portal-navigation.ts'
import { PortalUserMenu } from './portal-user-menu.tsx'

const TAB =
  'flex h-12 items-center border-transparent border-b-2 px-1 text-sm text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink focus-visible:-outline-offset-2'
const THUMB =
  'flex flex-col items-center gap-0.5 py-2 text-[0.6875rem] text-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-ink focus-visible:-outline-offset-2 [&_svg]:size-5'

const exactly = { exact: true, includeSearch: false }

type TopBarProps = {
  programs: PortalProgram[]
  /** Stays above the bar. */
  children?: ReactNode
}

export const TopBar = ({ programs, children }: TopBarProps) => {
  const { programId, status } = usePartnership()
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-surface/95 backdrop-blur print:hidden">
      {children}
      <div className="mx-auto flex h-12 max-w-6xl items-center gap-6 px-4 sm:px-6 lg:px-8">
        <PartnershipSwitch programs={programs} />
        {status !== 'pending' && (
          <nav aria-label="Main" className="hidden shrink-0 grow sm:block">
            <ul className="flex gap-4">
              {PORTAL_SCREENS.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to} params={{ programId: String(programId) }} activeOptions={exactly} className={TAB}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className="ml-auto flex shrink-0 items-center gap-1">
          <Bell inbox={{ audience: 'partner', programId }} settingsPath={`/portal/${programId}/notifications`} />
          <PortalUserMenu />
        </div>
      </div>
    </header>
  )
}

/** Navigation on phones. */
export const BottomBar = () => {
  const { programId } = usePartnership()
  return (
    <nav
      aria-label="Main"
      className="print:hidden fixed inset-x-0 bottom-0 z-30 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      <ul className="grid grid-cols-5">
        {PORTAL_SCREENS.filter(({ isInMenu }) => !isInMenu).map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link to={to} params={{ programId: String(programId) }} activeOptions={exactly} className={THUMB}>
              <Icon aria-hidden /> {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
