import { useRouter } from '@tanstack/react-router'
import type { FoundRow } from '@tributary/contract'
import { Command } from 'cmdk'
import { Contact, Link2, ShoppingBag, TicketPercent, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '../program-context.ts'
import { type CommandProps, Group, Item } from './palette-parts.tsx'
import { recentRows, rememberRow } from './recent.ts'

const PAUSE_MS = 200

const KINDS: { kind: FoundRow['kind']; heading: string; icon: typeof Contact; path: (row: FoundRow) => string }[] = [
  { kind: 'partner', heading: 'Partners', icon: UsersRound, path: ({ id }) => `partners/${id}` },
  { kind: 'customer', heading: 'Customers', icon: Contact, path: ({ id }) => `sales/customers/${id}` },
  { kind: 'sale', heading: 'Sales', icon: ShoppingBag, path: ({ id }) => `sales/${id}` },
  { kind: 'link', heading: 'Links', icon: Link2, path: ({ title }) => `links?search=${encodeURIComponent(title)}` },
  {
    kind: 'code',
    heading: 'Codes',
    icon: TicketPercent,
    path: ({ title }) => `links/codes?search=${encodeURIComponent(title)}`,
  },
]

/** The text once the user pauses. */
const useSettled = (text: string) => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type FoundProps = CommandProps & {
  text: string
  /** Shown below what was found. It waits for that, so that Enter opens the first result. */
  children: ReactNode
}

/** Partners, customers, sales, links and codes with the text, by kind; without a text, those opened last. */
export const FoundRows = ({ run, text, children }: FoundProps) => {
  const { program, user, may } = useProgram()
  const settled = useSettled(text)
  const enabled = may('tracking:read') && settled !== ''
  const input = { programId: program.id, query: { q: settled } }
  const search = useCall('get /api/programs/{programId}/search', input, { enabled })
  if (!may('tracking:read')) return null
  if (text === '') return <Rows heading="Recent" rows={recentRows(user.id, program.id)} run={run} />
  if (search.isFetching || settled !== text)
    return <Command.Loading className="px-2.5 py-2 text-faint text-xs">Searching…</Command.Loading>
  return (
    <>
      {KINDS.map(({ kind, heading }) => (
        <Rows
          key={kind}
          heading={heading}
          rows={search.data?.data.filter((row) => row.kind === kind) ?? []}
          run={run}
          text={text}
        />
      ))}
      {children}
    </>
  )
}

/** The service has matched the row, so its value contains the text for the palette's own filter. */
const rowValue = ({ kind, id }: FoundRow, text: string) => `${kind} ${text} ${id}`

type RowsProps = CommandProps & { heading: string; rows: FoundRow[]; text?: string }

const Rows = ({ heading, rows, text = '', run }: RowsProps) => {
  const { program, user } = useProgram()
  const { history } = useRouter()
  if (rows.length === 0) return null
  const open = (row: FoundRow) =>
    run(() => {
      rememberRow(user.id, program.id, row)
      history.push(`/programs/${program.id}/${KINDS.find(({ kind }) => kind === row.kind)?.path(row)}`)
    })
  return (
    <Group heading={heading}>
      {rows.map((row) => {
        const Icon = KINDS.find(({ kind }) => kind === row.kind)?.icon ?? Contact
        return (
          <Item key={row.kind + row.id} value={rowValue(row, text)} onSelect={open(row)}>
            <Icon aria-hidden />
            <span className="min-w-0 truncate">{row.title}</span>
            {row.detail && <span className="min-w-0 truncate text-faint text-xs">{row.detail}</span>}
          </Item>
        )
      })}
    </Group>
  )
}
