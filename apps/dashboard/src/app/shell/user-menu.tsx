import { useRouter } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { useSignOut } from '~/api/accounts/session.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { type Theme, useTheme } from '~/theme.ts'
import { useProgram } from '../program-context.ts'
import { PortalMenuItem } from './portal-menu-item.tsx'

export const THEMES: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
]

/** After signing out, the router finds no session and shows the sign-in page. */
export const useSignOutAndRedirect = () => {
  const { mutate } = useSignOut()
  const router = useRouter()
  // Skips the unsaved-changes prompt: a signed-out user can't stay.
  const toSignIn = () => void router.navigate({ to: '/sign-in', ignoreBlocker: true })
  return () => mutate(undefined, { onSuccess: toSignIn, onError: toast.failed })
}

export const UserMenu = () => {
  const { user, workspace } = useProgram()
  const router = useRouter()
  const { theme, setTheme } = useTheme()
  const signOut = useSignOutAndRedirect()
  return (
    <Menu
      align="start"
      side="top"
      className="w-56"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-md px-1.5 py-1.5 text-left hover:bg-hover data-[state=open]:bg-hover"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-sunken font-semibold text-soft text-xs uppercase"
          >
            {user.name.slice(0, 1)}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium text-sm leading-tight">{user.name}</span>
            <span className="block truncate text-faint text-xs capitalize leading-tight">{workspace.role}</span>
          </span>
        </button>
      }
    >
      <p className="truncate px-2 pt-1.5 pb-1 text-soft text-xs">{user.email}</p>
      <MenuSeparator />
      <MenuChoice
        label="Appearance"
        value={theme}
        onChange={setTheme}
        options={THEMES.map(({ icon: Icon, ...option }) => ({ ...option, icon: <Icon aria-hidden /> }))}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => void router.navigate({ to: '/account' })}>
        <UserRound aria-hidden /> Account settings
      </MenuItem>
      <PortalMenuItem />
      <MenuItem onSelect={signOut}>
        <LogOut aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  )
}
