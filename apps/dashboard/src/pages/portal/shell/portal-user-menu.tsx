import { useNavigate } from '@tanstack/react-router'
import { FolderOpen, Layers, LayoutDashboard, LogOut, ScrollText, UserRound } from 'lucide-react'
import { useContext } from 'react'
import { useSession } from '~/api/accounts/session.ts'
import { type PortalProgram, usePortalPrograms } from '~/api/portal.ts'
import { usePrograms } from '~/api/programs.ts'
import { THEMES, useSignOutAndRedirect } from '~/app/shell/user-menu.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '~/components/overlays/menu.tsx'
import { useTheme } from '~/theme.ts'
import { CurrentPartnership } from '../portal-context.ts'

export const PortalUserMenu = () => {
  const { data: session } = useSession()
  const { data: programs = [] } = usePrograms()
  const { theme, setTheme } = useTheme()
  const navigate = useNavigate()
  const signOut = useSignOutAndRedirect()
  const partnership = useContext(CurrentPartnership)
  const { data: partnerships = [] } = usePortalPrograms()
  const { name = '', email = '' } = session?.user ?? {}
  return (
    <Menu
      className="w-56"
      trigger={
        <button
          type="button"
          className="flex items-center gap-2 rounded-full p-0.5 hover:bg-hover data-[state=open]:bg-hover sm:pr-2.5"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-sunken font-semibold text-soft text-xs uppercase"
          >
            {name.slice(0, 1)}
          </span>
          <span className="max-w-36 truncate font-medium text-sm max-md:sr-only">{name}</span>
        </button>
      }
    >
      <p className="truncate px-2 pt-1.5 pb-1 text-soft text-xs">{email}</p>
      <MenuSeparator />
      <MenuChoice
        label="Appearance"
        value={theme}
        onChange={setTheme}
        options={THEMES.map(({ icon: Icon, ...option }) => ({ ...option, icon: <Icon aria-hidden /> }))}
      />
      <MenuSeparator />
      {partnership && partnership.status !== 'pending' && <ProgramItems partnership={partnership} />}
      {partnerships.length > 1 && (
        <MenuItem onSelect={() => void navigate({ to: '/portal/programs' })}>
          <Layers aria-hidden /> All programs
        </MenuItem>
      )}
      <MenuItem onSelect={() => void navigate({ to: '/account', search: { from: 'portal' } })}>
        <UserRound aria-hidden /> Account settings
      </MenuItem>
      {programs.length > 0 && (
        <MenuItem onSelect={() => void navigate({ to: '/' })}>
          <LayoutDashboard aria-hidden /> Merchant dashboard
        </MenuItem>
      )}
      <MenuItem onSelect={signOut}>
        <LogOut aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  )
}

const ProgramItems = ({ partnership: { programId, agreement } }: { partnership: PortalProgram }) => {
  const navigate = useNavigate()
  const params = { programId: String(programId) }
  return (
    <>
      <MenuItem onSelect={() => void navigate({ to: '/portal/$programId/resources', params })}>
        <FolderOpen aria-hidden /> Resources
      </MenuItem>
      {agreement && (
        <MenuItem onSelect={() => void navigate({ to: '/portal/$programId/agreement', params })}>
          <ScrollText aria-hidden /> Program agreement
        </MenuItem>
      )}
    </>
  )
}
