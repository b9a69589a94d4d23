import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { mayCreateWorkspace, useWorkspaces } from '~/api/accounts/workspaces.ts'
import { usePrograms } from '~/api/programs.ts'
import { Logo } from '~/components/logo.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '~/components/overlays/menu.tsx'
import { useProgram } from '../program-context.ts'

/** Lists programs by workspace: choosing a program also switches the workspace. */
export const ProgramSwitch = () => {
  const { program: current, workspace: here } = useProgram()
  const { data: programs = [] } = usePrograms()
  const { data: workspaces = [] } = useWorkspaces()
  const navigate = useNavigate()
  const open = (programId: number) =>
    void navigate({ to: '/programs/$programId', params: { programId: String(programId) } })
  const create = (workspace?: string) => void navigate({ to: '/welcome', search: workspace ? { workspace } : {} })
  return (
    <Menu
      align="start"
      className="w-64"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-lg px-1.5 py-1.5 text-left hover:bg-hover data-[state=open]:bg-hover"
        >
          <Logo className="size-7 shrink-0" />
          <span className="min-w-0 flex-1">
            <span className="wrap-anywhere line-clamp-2 font-semibold text-sm leading-tight">{current.name}</span>
            <span className="block truncate text-faint text-xs leading-tight">{here.name}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-3.5 text-faint" />
          <span className="sr-only">Switch program or workspace</span>
        </button>
      }
    >
      {workspaces.map((workspace, index) => (
        <div key={workspace.id}>
          {index > 0 && <MenuSeparator />}
          <MenuLabel>{workspace.name}</MenuLabel>
          {programs
            .filter(({ workspaceId }) => workspaceId === workspace.id)
            .map(({ id, name }) => (
              <MenuItem key={id} onSelect={() => open(id)}>
                <span className="min-w-0 flex-1 truncate">{name}</span>
                {id === current.id && <Check aria-label="current" />}
              </MenuItem>
            ))}
          {workspace.permissions.includes('program:create') && (
            <MenuItem onSelect={() => create(workspace.id)}>
              <Plus aria-hidden /> New program
            </MenuItem>
          )}
        </div>
      ))}
      {mayCreateWorkspace(workspaces) && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => create()}>
            <Plus aria-hidden /> New workspace
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
