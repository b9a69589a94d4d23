import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** `lead`: what the page is about, at most one. `quiet`: facts and help that a reader may skip. DESIGN.md has examples. */
type CardWeight = 'lead' | 'plain' | 'quiet'

const WEIGHTS: Record<CardWeight, string> = {
  lead: 'border-line-strong bg-surface shadow-lead',
  plain: 'border-line bg-surface',
  quiet: 'border-line bg-quiet',
}

type Props = { weight?: CardWeight; className?: string; children: ReactNode }

export const Card = ({ weight = 'plain', className, children }: Props) => (
  <section className={clsx('min-w-0 rounded-xl border', WEIGHTS[weight], className)}>{children}</section>
)

type HeaderProps = { title: string; description?: ReactNode; actions?: ReactNode }

export const CardHeader = ({ title, description, actions }: HeaderProps) => (
  <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4">
    <div className="min-w-0">
      <h2 className="text-section">{title}</h2>
      {description && <p className="mt-0.5 text-faint text-sm">{description}</p>}
    </div>
    {actions}
  </header>
)
