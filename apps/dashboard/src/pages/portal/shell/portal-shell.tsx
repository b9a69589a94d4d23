import { Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePortalView } from '~/api/partners/partner-view.ts'
import { usePortalPrograms } from '~/api/portal.ts'
import { rememberPartnership } from '~/app/last-program.ts'
import { NotFound, Pending } from '~/app/root.tsx'
import { useAccentColor } from '~/components/brand.tsx'
import { ReadOnly } from '~/components/controls/form.tsx'
import { useTimeZone } from '~/components/format/time-zone.ts'
import { CONTENT_ID } from '~/components/overlays/menu.tsx'
import { CurrentPartnership } from '../portal-context.ts'
import { AgreementNotice } from './agreement-notice.tsx'
import { PendingApplication } from './pending-application.tsx'
import { BottomBar, TopBar } from './portal-bars.tsx'
import { StatusNotice } from './status-notice.tsx'
import { SupportLine } from './support-line.tsx'
import { useLeaveEndedView, ViewBanner } from './view-banner.tsx'

/** The frame around every portal screen. Shows nothing of the merchant's dashboard. */
export const PortalShell = () => {
  const { programId } = useParams({ strict: false })
  const { data: programs } = usePortalPrograms()
  const program = programs?.find((row) => String(row.programId) === programId)
  const found = program?.programId
  const { data: view } = usePortalView()
  useLeaveEndedView()
  useTimeZone(program?.timezone)
  useAccentColor(program?.brand.accentColor)
  useEffect(() => {
    if (found !== undefined && view === null) rememberPartnership(found)
  }, [found, view])
  if (!programs) return <Pending />
  if (!program) return <NotFound />
  return (
    <CurrentPartnership value={program}>
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        Skip to content
      </a>
      <TopBar programs={programs}>{view && <ViewBanner view={view} />}</TopBar>
      <main id={CONTENT_ID} tabIndex={-1} className="min-w-0 pb-20 focus:outline-none sm:pb-8">
        <StatusNotice program={program} />
        <AgreementNotice program={program} />
        <ReadOnly value={Boolean(view)}>{program.status === 'pending' ? <PendingApplication /> : <Outlet />}</ReadOnly>
        <SupportLine email={program.brand.supportEmail} />
      </main>
      {program.status !== 'pending' && <BottomBar />}
    </CurrentPartnership>
  )
}
