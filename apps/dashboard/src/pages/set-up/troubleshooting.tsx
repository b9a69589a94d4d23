import type { ReactNode } from 'react'

export const Troubleshooting = ({ checks }: { checks: ReactNode[] }) => (
  <details className="group text-sm">
    <summary className="w-fit rounded text-soft underline decoration-line-strong underline-offset-3 hover:text-ink">
      Not receiving events?
    </summary>
    <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-5 text-soft">
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index}>{check}</li>
      ))}
    </ul>
  </details>
)

export const Code = ({ children }: { children: ReactNode }) => (
  <code className="rounded bg-sunken px-1 py-px font-mono text-[0.92em]">{children}</code>
)
