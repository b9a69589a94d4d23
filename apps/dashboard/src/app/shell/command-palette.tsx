import { useNavigate, useRouter } from '@tanstack/react-router'
import type { Permission } from '@tributary/contract'
import { Command } from 'cmdk'
import {
  Banknote,
  BookOpen,
  Gift,
  KeyRound,
  Layers,
  Link2,
  LogOut,
  type LucideIcon,
  ScanSearch,
  TicketPercent,
  UserRound,
  UserRoundPlus,
  Webhook,
} from 'lucide-react'
import { useState } from 'react'
import { usePrograms } from '~/api/programs.ts'
import { HiddenTitle, Modal } from '~/components/overlays/modal.tsx'
import { useTheme } from '~/theme.ts'
import { CREATE } from '../create-dialog.ts'
import { ADJUSTMENTS, type Destination, PLACES, SET_UP } from '../navigation.ts'
import { useProgram } from '../program-context.ts'
import { SETTINGS } from '../settings-navigation.ts'
import { FoundRows } from './found-rows.tsx'
import { type CommandProps, Group, Item, type Run } from './palette-parts.tsx'
import { THEMES, useSignOutAndRedirect } from './user-menu.tsx'

const WHY = '/programs/$programId/sales/check-attribution'
/** Long, so that the palette ranks it below everything that was found. */
const LOOK_UP = 'look up why it was credited, by invoice, customer key or click ID'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Finds partners, customers, sales, links, codes and screens, and runs commands. */
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
  const [text, setText] = useState('')
  const run: Run = (work) => () => {
    close()
    work()
  }
  const found = (
    <FoundRows run={run} text={text.trim()}>
      <LookUp run={run} name={text.trim()} />
    </FoundRows>
  )
  return (
    <Command label="Search and commands" loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Search or run a command…"
        className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-faint text-sm">Nothing found.</Command.Empty>
        {/* What was opened last comes first; what is found comes after the pages and actions with that name. */}
        {text.trim() === '' && found}
        <Places run={run} />
        <SettingsSections run={run} />
        <Actions run={run} />
        {text.trim() !== '' && found}
        <Programs run={run} />
        <AppearanceAndAccount run={run} />
      </Command.List>
    </Command>
  )
}

/** Opens the dialog on the page where it belongs. */
const ACTIONS: { label: string; path: string; permission: Permission; icon: LucideIcon; keywords?: string[] }[] = [
  { label: 'Create link', path: 'links', permission: 'partner:manage', icon: Link2 },
  {
    label: 'Add code',
    path: 'links/codes',
    permission: 'partner:manage',
    icon: TicketPercent,
    keywords: ['promotion code', 'coupon'],
  },
  { label: 'Add partner', path: 'partners', permission: 'partner:manage', icon: UserRoundPlus, keywords: ['invite'] },
  { label: 'Create payout', path: 'payouts', permission: 'payout:manage', icon: Banknote },
  {
    label: 'Add bonus',
    path: 'commissions/adjustments',
    permission: 'payout:manage',
    icon: Gift,
    keywords: ['manual commission', 'adjustment'],
  },
  { label: 'Create API key', path: 'settings/api-keys', permission: 'key:manage', icon: KeyRound, keywords: ['new'] },
  { label: 'Add webhook endpoint', path: 'settings/webhooks', permission: 'key:manage', icon: Webhook },
]

const Actions = ({ run }: CommandProps) => {
  const { program, may } = useProgram()
  const { history } = useRouter()
  const allowed = ACTIONS.filter(({ permission }) => may(permission))
  if (allowed.length === 0) return null
  return (
    <Group heading="Actions">
      {allowed.map(({ label, path, icon: Icon, keywords = [] }) => (
        <Item
          key={label}
          keywords={keywords}
          onSelect={run(() => history.push(`/programs/${program.id}/${path}`, CREATE))}
        >
          <Icon aria-hidden /> {label}
        </Item>
      ))}
    </Group>
  )
}

const PAGES: Destination[] = [...PLACES.flatMap(({ tabs, ...place }) => tabs ?? [place]), SET_UP, ADJUSTMENTS]

const Places = ({ run }: CommandProps) => {
  const { program, may } = useProgram()
  const navigate = useNavigate()
  const params = { programId: String(program.id) }
  return (
    <Group heading="Go to">
      {PAGES.filter(({ permission }) => may(permission)).map(({ label, to, icon: Icon, keywords = [] }) => (
        <Item key={to} keywords={keywords} onSelect={run(() => void navigate({ to, params }))}>
          <Icon aria-hidden /> {label}
        </Item>
      ))}
      <Item onSelect={run(() => void window.open('/docs', '_blank', 'noreferrer'))}>
        <BookOpen aria-hidden /> API reference
      </Item>
    </Group>
  )
}

const SettingsSections = ({ run }: CommandProps) => {
  const { program, may } = useProgram()
  const navigate = useNavigate()
  const params = { programId: String(program.id) }
  return (
    <Group heading="Settings">
      {SETTINGS.flatMap(({ sections }) => sections)
        .filter(({ permission }) => may(permission))
        .map(({ label, to, icon: Icon, keywords = [] }) => (
          <Item
            key={to}
            value={`${label} settings`}
            keywords={keywords}
            onSelect={run(() => void navigate({ to, params }))}
          >
            <Icon aria-hidden /> {label}
          </Item>
        ))}
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
    <Group heading="Check attribution">
      <Item value={`${LOOK_UP} ${name}`} onSelect={run(() => void navigate({ to: WHY, params, search: { name } }))}>
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
