import type { ReactNode } from 'react'
import { CopyButton } from '../copy.tsx'

export type Fact = {
  label: string
  value: ReactNode
  /** Adds a copy button that copies this text. */
  copy?: string
}

export const FactList = ({ facts }: { facts: Fact[] }) => (
  <dl className="divide-y divide-line text-sm">
    {facts.map(({ label, value, copy }) => (
      <div key={label} className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-3 py-2">
        <dt className="text-faint">{label}</dt>
        <dd className="flex min-w-0 items-start gap-1">
          <span className="wrap-anywhere min-w-0 flex-1">{value}</span>
          {copy && (
            <span className="-my-1">
              <CopyButton text={copy} label={`Copy ${label}`} iconOnly />
            </span>
          )}
        </dd>
      </div>
    ))}
  </dl>
)

export type Figure = { label: string; value: ReactNode; note?: ReactNode }

export const Figures = ({ figures }: { figures: Figure[] }) => (
  <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line lg:grid-cols-4">
    {figures.map(({ label, value, note }) => (
      <div key={label} className="min-w-0 bg-surface px-5 py-3.5">
        <dt className="text-faint text-xs">{label}</dt>
        <dd className="wrap-anywhere mt-0.5 text-total">
          {value}
          {note && <span className="block font-normal text-faint text-xs">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)
