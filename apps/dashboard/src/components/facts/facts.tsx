import type { ReactNode } from 'react'

export type Fact = { label: string; value: ReactNode }

export const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl className="flex flex-col gap-2.5 text-sm">
    {facts.map(({ label, value }) => (
      <div key={label} className="flex items-baseline justify-between gap-4">
        <dt className="shrink-0 text-faint">{label}</dt>
        <dd className="min-w-0 break-words text-right tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
)
