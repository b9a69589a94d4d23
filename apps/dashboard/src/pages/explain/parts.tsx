import { useLocation } from '@tanstack/react-router'
import type { LinkTarget, Part, Permission } from '@tributary/contract'
import { Fragment } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { AppLink } from '~/components/app-link.tsx'
import { partText } from './parts-text.ts'

type LinkPart = Extract<Part, { type: 'link' }>

/** A sentence of an explanation. */
export const Parts = ({ parts }: { parts: Part[] }) =>
  parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence never reorder
    <Fragment key={index}>{showPart(part)}</Fragment>
  ))

const showPart = (part: Part) => {
  if (part.type === 'link') return <PartLink part={part} />
  if (part.type === 'code') return <code className="wrap-anywhere font-mono text-[0.92em]">{part.text}</code>
  if (part.type === 'time') return <time dateTime={part.at}>{partText(part)}</time>
  if (part.type === 'amount') return <span className="whitespace-nowrap tabular-nums">{partText(part)}</span>
  return part.text
}

const LINK = 'rounded underline decoration-1 underline-offset-2 hover:decoration-2'

const PLACES: Record<LinkTarget, [permission: Permission, path: string]> = {
  partner: ['tracking:read', 'partners/'],
  sale: ['tracking:read', 'sales/'],
  lead: ['tracking:read', 'sales/leads/'],
  payout: ['commission:read', 'payouts/'],
  settings: ['program:read', 'settings/tracking'],
  rewards: ['program:read', 'settings/rewards'],
  review: ['commission:read', 'commissions?state=review'],
}

/** Plain text for readers who may not open it, and on the page that it leads to. */
const PartLink = ({ part: { text, to, id } }: { part: LinkPart }) => {
  const { program, may } = useProgram()
  const { pathname } = useLocation()
  const [permission, path] = PLACES[to]
  const href = `/programs/${program.id}/${path}${id ?? ''}`
  if (!may(permission) || href === pathname) return text
  return (
    <AppLink href={href} className={LINK}>
      {text}
    </AppLink>
  )
}
