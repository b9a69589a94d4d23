import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Props = { children: ReactNode; className?: string }

/** Fields side by side, except on a phone. Labels, controls and hints each have a line of their own, so controls align when one wraps. */
export const FieldRow = ({ children, className }: Props) => (
  <div
    className={clsx(
      'grid gap-4 sm:grid-cols-2 sm:gap-y-1.5 sm:*:row-span-3 sm:*:grid sm:*:grid-rows-subgrid sm:[&>*>label]:self-end',
      className,
    )}
  >
    {children}
  </div>
)
