import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'
import { BrandLogo } from '~/components/brand.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '~/components/overlays/menu.tsx'
import { usePartnership } from '../portal-context.ts'

/** The program's name, or a menu for partners of several programs. */
export const PartnershipSwitch = ({ programs }: { programs: PortalProgram[] }) => {
  const current = usePartnership()
  const navigate = useNavigate()
  const name = <span className="min-w-0 truncate font-semibold text-sm">{current.programName}</span>
  const logo = <BrandLogo brand={current.brand} className="h-6 shrink-0" />
  if (programs.length < 2)
    return (
      <p className="flex min-w-0 items-center gap-2.5">
        {logo} {name}
      </p>
    )
  return (
    <Menu
      align="start"
      className="w-64"
      trigger={
        <button
          type="button"
          className="-ml-1.5 flex min-w-0 items-center gap-2.5 rounded-lg px-1.5 py-1 hover:bg-hover data-[state=open]:bg-hover"
        >
          {logo} {name}
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
          <span className="sr-only">Switch program</span>
        </button>
      }
    >
      <MenuLabel>Your programs</MenuLabel>
      {programs.map(({ programId, programName }) => (
        <MenuItem
          key={programId}
          onSelect={() => void navigate({ to: '/portal/$programId', params: { programId: String(programId) } })}
        >
          <span className="min-w-0 flex-1 truncate">{programName}</span>
          {programId === current.programId && <Check aria-label="current" />}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void navigate({ to: '/portal/programs' })}>All programs</MenuItem>
    </Menu>
  )
}
