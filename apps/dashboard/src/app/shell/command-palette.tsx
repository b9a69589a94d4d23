import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { BookOpen, CornerDownLeft, Layers, LogOut, ScanSearch, UserRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePrograms } from '~/api/programs.ts'
import { HiddenTitle, Modal } from '~/components/overlays/modal.tsx'
import { useTheme } from '~/theme.ts'
import { NAVIGATION } from '../navigation.ts'
import { useProgram } from '../program-context.ts'
import { SETTINGS } from '../settings-navigation.ts'
import { THEMES, useSignOutAndRedirect } from './user-menu.tsx'

const WHY = '/programs/$programId/why'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Finds every screen and command by name. */
export const CommandPalette = ({ open, onOpenChange }: Props) => (
  <Modal
    open={open}
    onOpenChange={onOpenChange}
    className="inset-x-3 top-[14dvh] mx-auto max-w-lg animate-enter overflow-hidden rounded-xl border"
  >
    <HiddenTitle>Search and commands</HiddenTitle>
    <Commands close={() => onOpenChange(false)} />
  </Modal>
)

type Run = (work: () => void) => () => void
type CommandProps = { run: Run }

const Commands = ({ close }: { close: () => void }) => {
  const [text, setText] = useState('')
  const run: Run = (work) => () => {
    close()
    work()
  }
  return (
    <Command label="Search and commands" loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Search pages and commands…"
        className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-faint text-sm">No matching page or command.</Command.Empty>
        <Places run={run} />
        <Programs run={run} />
        <LookUp run={run} name={text.trim()} />
        <AppearanceAndAccount run={run} />
      </Command.List>
    </Command>
  )
}

const Places = ({ run }: CommandProps) => {
  const { program, may } = useProgram()
  const navigate = useNavigate()
  const params = { programId: String(program.id) }
  return (
    <Group heading="Go to">
      {[...NAVIGATION.flatMap(({ items }) => items), ...SETTINGS]
        .filter(({ permission }) => may(permission))
        .map(({ label, to, icon: Icon }) => (
          <Item key={to} onSelect={run(() => void navigate({ to, params }))}>
            <Icon aria-hidden /> {label}
          </Item>
        ))}
      <Item onSelect={run(() => void window.open('/docs', '_blank', 'noreferrer'))}>
        <BookOpen aria-hidden /> API reference
      </Item>
    </Group>
  )
}

const Programs = ({ run }: CommandProps) => {
  const { data: programs = [] } = usePrograms()
  const navigate = useNavigate()
  const open = (id: number) =>
    run(() => void navigate({ to: '/programs/$programId', params: { programId: String(id) } }))
  if (programs.length <= 1) return null
  return (
    <Group heading="Programs">
      {programs.map(({ id, name }) => (
        <Item key={id} value={`${name} ${id}`} onSelect={open(id)}>
          <Layers aria-hidden /> {name}
        </Item>
      ))}
    </Group>
  )
}

const LookUp = ({ run, name }: CommandProps & { name: string }) => {
  const { program, may } = useProgram()
  const navigate = useNavigate()
  const params = { programId: String(program.id) }
  if (!name || !may('tracking:read')) return null
  return (
    <Group heading="Look up">
      <Item value={`look up ${name}`} onSelect={run(() => void navigate({ to: WHY, params, search: { name } }))}>
        <ScanSearch aria-hidden />
        <span className="min-w-0 truncate">Invoice, customer or click “{name}”</span>
      </Item>
    </Group>
  )
}

const AppearanceAndAccount = ({ run }: CommandProps) => {
  const { setTheme } = useTheme()
  const navigate = useNavigate()
  const signOut = useSignOutAndRedirect()
  return (
    <Group heading="Appearance and account">
      {THEMES.map(({ value, label, icon: Icon }) => (
        <Item key={value} value={`theme ${label}`} onSelect={run(() => setTheme(value))}>
          <Icon aria-hidden /> {label}
        </Item>
      ))}
      <Item onSelect={run(() => void navigate({ to: '/account' }))}>
        <UserRound aria-hidden /> Account settings
      </Item>
      <Item onSelect={run(signOut)}>
        <LogOut aria-hidden /> Sign out
      </Item>
    </Group>
  )
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-faint **:[[cmdk-group-heading]]:text-xs"
  >
    {children}
  </Command.Group>
)

type ItemProps = { value?: string; onSelect: () => void; children: ReactNode }

const Item = ({ children, ...rest }: ItemProps) => (
  <Command.Item
    {...rest}
    className="group flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-faint"
  >
    {children}
    <CornerDownLeft aria-hidden className="ml-auto opacity-0 group-data-[selected=true]:opacity-100" />
  </Command.Item>
)
