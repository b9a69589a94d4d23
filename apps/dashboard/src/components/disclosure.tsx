import type { ReactNode } from 'react'

export const Disclosure = ({ label, children }: { label: string; children: ReactNode }) => (
  <details className="text-sm">
    <summary className="w-fit rounded text-soft underline decoration-line-strong underline-offset-3 hover:text-ink">
      {label}
    </summary>
    <div className="mt-3 flex flex-col gap-3">{children}</div>
  </details>
)
