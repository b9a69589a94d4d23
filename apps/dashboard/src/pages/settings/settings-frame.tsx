import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { SETTINGS } from '~/app/settings-navigation.ts'

const TAB =
  'whitespace-nowrap border-transparent border-b-2 px-2.5 py-2.5 text-soft text-sm hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink'

export const SettingsFrame = () => {
  const { program, may } = useProgram()
  const { pathname } = useLocation()
  const bar = useRef<HTMLUListElement>(null)
  // On a phone the tabs overflow; scroll the current one into view.
  useEffect(() => {
    const current = bar.current?.querySelector(`a[href^="${pathname}"]`)
    current?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <>
      <nav aria-label="Settings" className="border-line border-b bg-surface">
        <ul ref={bar} className="mx-auto -mb-px flex w-full max-w-6xl overflow-x-auto px-1.5 sm:px-3.5 lg:px-5.5">
          {SETTINGS.filter(({ permission }) => may(permission)).map(({ label, to }) => (
            <li key={to} className="flex">
              <Link
                to={to}
                params={{ programId: String(program.id) }}
                activeOptions={{ exact: true, includeSearch: false }}
                className={TAB}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </>
  )
}
