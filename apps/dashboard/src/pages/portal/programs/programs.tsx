import { Link } from '@tanstack/react-router'
import { Handshake } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { whileVisible } from '~/api/live.ts'
import { type PortalProgram, usePortalPrograms } from '~/api/portal.ts'
import { Card } from '~/components/card.tsx'
import { Logo } from '~/components/logo.tsx'
import { CONTENT_ID } from '~/components/overlays/menu.tsx'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { PortalUserMenu } from '../shell/portal-user-menu.tsx'
import { figuresFor } from './figures.ts'
import { ProgramRow } from './program-row.tsx'
import { Totals } from './totals.tsx'

/** Every program the user is a partner of, also in different workspaces, with their balances. */
export const PortalPrograms = () => {
  const { data: programs = [] } = usePortalPrograms()
  return (
    <>
      <header className="sticky top-0 z-30 border-line border-b bg-surface/95 backdrop-blur">
        <div className="mx-auto flex h-12 max-w-6xl items-center justify-between gap-6 px-4 sm:px-6 lg:px-8">
          <Link to="/portal/programs" className="flex items-center gap-2.5 rounded font-semibold text-sm">
            <Logo className="size-6" /> Partner portal
          </Link>
          <PortalUserMenu />
        </div>
      </header>
      <main id={CONTENT_ID} tabIndex={-1} className="min-w-0 focus:outline-none">
        <Page title="Your programs" description="What you have earned in each program you are a partner of.">
          <ProgramBalances programs={programs} />
        </Page>
      </main>
    </>
  )
}

const ProgramBalances = ({ programs }: { programs: PortalProgram[] }) => {
  const balances = useCall('get /api/portal/balances', {}, { refetchInterval: whileVisible })
  return (
    <QueryView
      query={balances}
      loading={
        <Card>
          <SkeletonRows rows={3} />
        </Card>
      }
      isEmpty={({ data }) => data.length === 0}
      empty={
        <Card>
          <EmptyState icon={<Handshake />} title="You are not a partner yet">
            Open an invitation or apply to a program. It will appear here.
          </EmptyState>
        </Card>
      }
    >
      {({ data: rows }) => (
        <>
          {rows.length > 1 && <Totals rows={rows} figures={figuresFor(rows)} />}
          <Card>
            <ul className="divide-y divide-line">
              {rows.map((row) => {
                const program = programs.find(({ programId }) => programId === row.programId)
                return (
                  program && <ProgramRow key={row.programId} program={program} row={row} figures={figuresFor(rows)} />
                )
              })}
            </ul>
          </Card>
        </>
      )}
    </QueryView>
  )
}
