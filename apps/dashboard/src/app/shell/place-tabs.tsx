import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { permittedPlaces } from '../navigation.ts'
import { useProgram } from '../program-context.ts'
import { useWaiting } from './use-waiting.ts'
import { WaitingBadge } from './waiting-badge.tsx'

const TAB =
  'flex h-10 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-2.5 text-soft text-sm hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** The pages of a place that has several. The first has the address and the badge of the place, which the menu shows. */
export const PlaceTabs = () => {
  const { program, may } = useProgram()
  const { pathname } = useLocation()
  const waiting = useWaiting()
  const bar = useRef<HTMLUListElement>(null)
  // On a phone the tabs overflow; scroll the current one into view.
  useEffect(() => {
    const current = bar.current?.querySelector(`a[href="${pathname}"]`)
    current?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  const addressOf = (to: string) => to.replace('$programId', String(program.id))
  const place = permittedPlaces(may).find(({ tabs }) => tabs?.some(({ to }) => addressOf(to) === pathname))
  return (
    <>
      {place && (
        <nav aria-label={place.label} className="border-line border-b bg-surface">
          <ul
            ref={bar}
            className="mx-auto -mb-px flex w-full max-w-6xl overflow-x-auto [scrollbar-width:none] px-1.5 sm:px-3.5 lg:px-5.5"
          >
            {place.tabs?.map(({ label, to }, index) => (
              <li key={to} className="flex">
                <Link
                  to={to}
                  params={{ programId: String(program.id) }}
                  activeOptions={{ exact: true, includeSearch: false }}
                  className={TAB}
                  {...(index > 0 && waiting.labelFor({ to, label }))}
                >
                  {label} {index > 0 && <WaitingBadge waiting={waiting.at(to)} />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Outlet />
    </>
  )
}
