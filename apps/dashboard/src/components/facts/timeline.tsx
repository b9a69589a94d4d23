import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Tone } from '../badge.tsx'
import { formatTime } from '../format/format.ts'

const GROUNDS: Record<Tone, string> = {
  neutral: 'bg-sunken text-soft',
  accent: 'bg-accent-soft text-accent-ink',
  good: 'bg-good-soft text-good-ink',
  warn: 'bg-warn-soft text-warn-ink',
  bad: 'bg-bad-soft text-bad-ink',
}

export const Timeline = ({ label, children }: { label: string; children: ReactNode }) => (
  <ol aria-label={label} className="flex flex-col">
    {children}
  </ol>
)

type Props = {
  icon: ReactNode
  tone?: Tone
  title: ReactNode
  at: string
  action?: ReactNode
  children?: ReactNode
}

export const TimelineEntry = ({ icon, tone = 'neutral', title, at, action, children }: Props) => (
  <li className="group relative flex gap-3.5 pb-5 last:pb-0">
    <span aria-hidden className="absolute top-7 bottom-0 left-3.5 w-px bg-line group-last:hidden" />
    <span
      aria-hidden
      className={clsx('grid size-7 shrink-0 place-items-center rounded-full [&_svg]:size-3.5', GROUNDS[tone])}
    >
      {icon}
    </span>
    <div className="min-w-0 flex-1 pt-1 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="wrap-anywhere min-w-0 font-medium">{title}</p>
        <p className="flex items-baseline gap-3 text-faint text-xs">
          {action}
          <time dateTime={at}>{formatTime(at)}</time>
        </p>
      </div>
      {children && <div className="wrap-anywhere mt-0.5 text-soft">{children}</div>}
    </div>
  </li>
)
