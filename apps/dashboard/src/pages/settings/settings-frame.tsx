import { Link, Outlet, useMatch } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'
import { useWaiting } from '~/app/shell/use-waiting.ts'
import { WaitingBadge } from '~/app/shell/waiting-badge.tsx'
import { BACK_LINK, BackLabel } from '~/components/back-link.tsx'
import { usePermittedSettings } from './use-permitted-settings.ts'

const ITEM =
  'flex h-7.5 items-center gap-2 rounded-md px-2.5 text-soft text-sm hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Every section has the list of all sections beside it, or, in a window without room for it, a link to the list above it. */
export const SettingsFrame = () => {
  const isHome = useMatch({ from: '/signed-in/programs/$programId/settings/', shouldThrow: false }) !== undefined
  return (
    <div className="xl:grid xl:grid-cols-[13rem_minmax(0,1fr)]">
      {!isHome && <Rail />}
      <div className="min-w-0">
        {!isHome && <BackToSettings />}
        <Outlet />
      </div>
    </div>
  )
}

const BackToSettings = () => {
  const { program } = useProgram()
  return (
    <div className="mx-auto -mb-3 w-full max-w-6xl px-4 pt-4 sm:px-6 lg:px-8 xl:hidden">
      <Link to="/programs/$programId/settings" params={{ programId: String(program.id) }} className={BACK_LINK}>
        <BackLabel>Settings</BackLabel>
      </Link>
    </div>
  )
}

const Rail = () => {
  const { program } = useProgram()
  const groups = usePermittedSettings()
  const waiting = useWaiting()
  return (
    <nav
      aria-label="Settings"
      className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-line border-r px-3 py-8 xl:flex print:hidden"
    >
      {groups.map(({ title, sections }) => (
        <div key={title}>
          <p className="px-2.5 pb-1 font-medium text-faint text-xs">{title}</p>
          <ul className="flex flex-col gap-px">
            {sections.map((section) => (
              <li key={section.to}>
                <Link
                  to={section.to}
                  params={{ programId: String(program.id) }}
                  activeOptions={{ exact: true, includeSearch: false }}
                  className={ITEM}
                  {...waiting.labelFor(section)}
                >
                  {section.label} <WaitingBadge waiting={waiting.at(section.to)} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
