import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export const Card = ({ className, children }: { className?: string; children: ReactNode }) => (
  <section className={clsx('min-w-0 rounded-xl border border-line bg-surface shadow-card', className)}>
    {children}
  </section>
)

type HeaderProps = { title: string; description?: ReactNode; actions?: ReactNode }

export const CardHeader = ({ title, description, actions }: HeaderProps) => (
  <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4">
    <div className="min-w-0">
      <h2 className="font-semibold text-base">{title}</h2>
      {description && <p className="mt-0.5 text-faint text-sm">{description}</p>}
    </div>
    {actions}
  </header>
)
