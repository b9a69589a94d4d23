import { Outlet, useParams } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useSession } from '~/api/accounts/session.ts'
import { useWorkspaces } from '~/api/accounts/workspaces.ts'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { useLiveProgram } from '~/api/live.ts'
import { usePrograms } from '~/api/programs.ts'
import { Button } from '~/components/controls/button.tsx'
import { useTimeZone } from '~/components/format/time-zone.ts'
import { Logo } from '~/components/logo.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { CONTENT_ID } from '~/components/overlays/menu.tsx'
import { rememberProgram } from '../last-program.ts'
import { CurrentProgram, type ProgramContext } from '../program-context.ts'
import { NotFound, Pending } from '../root.tsx'
import { Sidebar, TeamBell } from './sidebar.tsx'

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then(({ CommandPalette }) => ({ default: CommandPalette })).catch(rethrowLoadError),
)

/** The frame around every program screen. */
export const Shell = () => {
  const context = useAddressedProgram()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const palette = usePaletteKey()
  const program = context && context !== 'loading' ? context.program : null
  const programId = program?.id ?? null
  useTimeZone(program?.timezone)
  useEffect(() => {
    if (programId !== null) rememberProgram(programId)
  }, [programId])

  if (context === 'loading') return <Pending />
  if (!context) return <NotFound />
  return (
    <CurrentProgram value={context}>
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        Skip to content
      </a>
      <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
        <aside className="sticky top-0 hidden h-dvh border-line border-r bg-surface lg:block print:hidden">
          <Sidebar onSearch={palette.show} />
        </aside>
        <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-line border-b bg-surface/95 px-3 backdrop-blur lg:hidden print:hidden">
          <Button look="quiet" size="icon" aria-label="Open menu" onClick={() => setMenuOpen(true)}>
            <MenuIcon aria-hidden />
          </Button>
          <Logo className="size-5" />
          <p className="min-w-0 flex-1 truncate font-medium text-sm">{context.program.name}</p>
          <Button look="quiet" size="icon" aria-label="Search and commands" onClick={palette.show}>
            <Search aria-hidden />
          </Button>
          <TeamBell align="end" />
        </header>
        <Drawer open={isMenuOpen} onOpenChange={setMenuOpen} title="Menu" side="left" bare>
          <Sidebar onSearch={palette.show} onNavigate={() => setMenuOpen(false)} />
        </Drawer>
        <main id={CONTENT_ID} tabIndex={-1} className="min-w-0 focus:outline-none">
          <Outlet />
        </main>
      </div>
      {palette.isLoaded && (
        <Suspense>
          <CommandPalette open={palette.isOpen} onOpenChange={palette.setOpen} />
        </Suspense>
      )}
    </CurrentProgram>
  )
}

const useAddressedProgram = (): ProgramContext | 'loading' | null => {
  const addressed = useProgramInUrl()
  const found = addressed === 'loading' ? null : addressed
  const isLive = useLiveProgram(found?.program.id ?? null, { mayStream: found?.may('tracking:list') ?? false })
  return useMemo(
    () => (typeof addressed === 'object' ? addressed && { ...addressed, isLive } : addressed),
    [addressed, isLive],
  )
}

const useProgramInUrl = (): Omit<ProgramContext, 'isLive'> | 'loading' | null => {
  const { programId } = useParams({ strict: false })
  const { data: session } = useSession()
  const { data: programs } = usePrograms()
  const { data: workspaces } = useWorkspaces()
  return useMemo(() => {
    if (!programs || !workspaces || !session) return 'loading'
    const program = programs.find(({ id }) => String(id) === programId)
    const workspace = workspaces.find(({ id }) => id === program?.workspaceId)
    if (!program || !workspace) return null
    return { user: session.user, program, workspace, may: (permission) => workspace.permissions.includes(permission) }
  }, [programs, workspaces, session, programId])
}

/** ⌘K or Ctrl-K from anywhere. The palette's code loads on first use. */
const usePaletteKey = () => {
  const [isOpen, setOpen] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setLoaded(true)
      setOpen((open) => !open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const show = () => {
    setLoaded(true)
    setOpen(true)
  }
  return { isOpen, isLoaded, setOpen, show }
}
