import { Link, Navigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useHasSettingsRail } from '~/app/has-settings-rail.ts'
import { useProgram } from '~/app/program-context.ts'
import { useWaiting } from '~/app/shell/use-waiting.ts'
import { WaitingBadge } from '~/app/shell/waiting-badge.tsx'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { usePermittedSettings } from './use-permitted-settings.ts'

/** The list of sections, in windows that have no room for it beside a section. */
export const SettingsHome = () => {
  const { program } = useProgram()
  const groups = usePermittedSettings()
  const waiting = useWaiting()
  const params = { programId: String(program.id) }
  if (useHasSettingsRail()) return <Navigate to="/programs/$programId/settings/details" params={params} replace />
  return (
    <Page title="Settings">
      {groups.map(({ title, sections }) => (
        <section key={title} aria-label={title}>
          <h2 className="px-1 pb-1.5 font-medium text-faint text-sm">{title}</h2>
          <Card>
            <ul className="divide-y divide-line">
              {sections.map((section) => (
                <li key={section.to}>
                  <Link
                    to={section.to}
                    params={params}
                    className="flex h-11 items-center gap-3 px-4 text-sm hover:bg-hover focus-visible:-outline-offset-2 [&_svg]:size-4 [&_svg]:text-faint"
                    {...waiting.labelFor(section)}
                  >
                    <section.icon aria-hidden /> {section.label} <WaitingBadge waiting={waiting.at(section.to)} />
                    <ChevronRight aria-hidden className="ml-auto" />
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </Page>
  )
}
