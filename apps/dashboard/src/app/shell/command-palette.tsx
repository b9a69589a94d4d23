import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { BookOpen, CornerDownLeft, Layers, LogOut, ScanSearch, UserRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePrograms } from '~/api/programs.ts'
import { HiddenTitle, Modal } from '~/components/modal.tsx'
import { useTheme } from '~/theme.ts'
import { NAVIGATION } from '../navigation.ts'
import { useProgram } from '../program-context.ts'
import { SETTINGS } from '../settings-navigation.ts'
import { THEMES, useLeave } from './user-menu.tsx'

const WHY = '/programs/$programId/why'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Every place and command by a few letters. */
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

const Commands = ({ close }: { close: () => void }) => {
  const { program, may } = useProgram()
  const params = { programId: String(program.id) }
  const { data: programs = [] } = usePrograms()
  const { setTheme } = useTheme()
  const navigate = useNavigate()
  const leave = useLeave()
  const [text, setText] = useState('')
  const name = text.trim()
  const run = (work: () => void) => () => {
    close()
    work()
  }
  const open = (to: (typeof NAVIGATION)[number]['items'][number]['to'], id: number) =>
    run(() => void navigate({ to, params: { programId: String(id) } }))
  return (
    <Command label="Search and commands" loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Go to, switch, change …"
        className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-faint text-sm">Nothing by that name.</Command.Empty>
        <Group heading="Go to">
          {[...NAVIGATION.flatMap(({ items }) => items), ...SETTINGS]
            .filter(({ permission }) => may(permission))
            .map(({ label, to, icon: Icon }) => (
              <Item key={to} onSelect={open(to, program.id)}>
                <Icon aria-hidden /> {label}
              </Item>
            ))}
          <Item onSelect={run(() => void window.open('/docs', '_blank', 'noreferrer'))}>
            <BookOpen aria-hidden /> API reference
          </Item>
        </Group>
        {programs.length > 1 && (
          <Group heading="Programs">
            {programs.map(({ id, name }) => (
              <Item key={id} value={`${name} ${id}`} onSelect={open('/programs/$programId', id)}>
                <Layers aria-hidden /> {name}
              </Item>
            ))}
          </Group>
        )}
        {name && may('tracking:read') && (
          <Group heading="Look up">
            <Item value={`look up ${name}`} onSelect={run(() => void navigate({ to: WHY, params, search: { name } }))}>
              <ScanSearch aria-hidden />
              <span className="min-w-0 truncate">Invoice, customer or click “{name}”</span>
            </Item>
          </Group>
        )}
        <Group heading="Appearance and account">
          {THEMES.map(({ value, label, icon: Icon }) => (
            <Item key={value} value={`theme ${label}`} onSelect={run(() => setTheme(value))}>
              <Icon aria-hidden /> {label}
            </Item>
          ))}
          <Item onSelect={run(() => void navigate({ to: '/account' }))}>
            <UserRound aria-hidden /> Your account
          </Item>
          <Item onSelect={run(leave)}>
            <LogOut aria-hidden /> Sign out
          </Item>
        </Group>
      </Command.List>
    </Command>
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
