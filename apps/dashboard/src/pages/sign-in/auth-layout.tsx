import type { ReactNode } from 'react'
import { Logo } from '~/components/logo.tsx'
import { usePageTitle } from '~/components/page.tsx'

type Props = { title: string; description?: ReactNode; children: ReactNode; footer?: ReactNode }

/** A single card, for screens without a session. */
export const AuthLayout = ({ title, description, children, footer }: Props) => {
  usePageTitle(title)
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[11dvh] pb-10">
      <p className="mb-7 flex items-center gap-2.5 font-semibold text-base">
        <Logo className="size-7" /> Tributary
      </p>
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-card">
        <h1 className="font-semibold text-lg">{title}</h1>
        {description && <p className="mt-1 text-pretty text-soft text-sm">{description}</p>}
        <div className="mt-5">{children}</div>
      </div>
      {footer && <p className="mt-5 max-w-sm text-pretty text-center text-soft text-sm">{footer}</p>}
    </main>
  )
}

export const TEXT_LINK = 'font-medium text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2'
