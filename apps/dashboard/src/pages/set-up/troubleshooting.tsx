import type { ReactNode } from 'react'
import { Disclosure } from '~/components/disclosure.tsx'

/** What to look at if nothing arrives, and perhaps a check. */
export const Troubleshooting = ({ checks, children }: { checks: ReactNode[]; children?: ReactNode }) => (
  <Disclosure label="Not receiving events?">
    <ul className="flex list-disc flex-col gap-1.5 pl-5 text-soft">
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index}>{check}</li>
      ))}
    </ul>
    {children}
  </Disclosure>
)

export const Code = ({ children }: { children: ReactNode }) => (
  <code className="rounded bg-sunken px-1 py-px font-mono text-[0.92em]">{children}</code>
)
