import type { Brand } from '@tributary/contract'
import type { ReactNode } from 'react'
import { BrandLogo, useAccentColor } from '~/components/brand.tsx'
import { Logo } from '~/components/logo.tsx'
import { usePageTitle } from '~/components/page.tsx'

export type BrandedBy = { programName: string; brand: Brand }
type Props = {
  title: string
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
  by?: BrandedBy
  /** For a long form. */
  isWide?: boolean
}

/** A single card, for screens without a session. `by` is the program that the screen is about. */
export const AuthLayout = ({ title, description, children, footer, by, isWide = false }: Props) => {
  usePageTitle(title)
  useAccentColor(by?.brand.accentColor)
  return (
    <main className={`flex min-h-dvh flex-col items-center px-4 pb-10 ${isWide ? 'pt-[5dvh]' : 'pt-[11dvh]'}`}>
      <p className="mb-7 flex min-w-0 max-w-sm items-center gap-2.5 text-section">
        {by ? (
          <>
            <BrandLogo brand={by.brand} className="h-9 shrink-0" />
            <span className="wrap-anywhere min-w-0">{by.programName}</span>
          </>
        ) : (
          <>
            <Logo className="size-7" /> Tributary
          </>
        )}
      </p>
      <div
        className={`w-full rounded-xl border border-line-strong bg-surface p-6 shadow-lead ${isWide ? 'max-w-lg' : 'max-w-sm'}`}
      >
        <h1 className="text-title">{title}</h1>
        {description && <p className="mt-1 text-pretty text-soft text-sm">{description}</p>}
        <div className="mt-5">{children}</div>
      </div>
      {footer && <p className="mt-5 max-w-sm text-pretty text-center text-soft text-sm">{footer}</p>}
      {by?.brand.supportEmail && <Support email={by.brand.supportEmail} />}
    </main>
  )
}

const Support = ({ email }: { email: string }) => (
  <p className="mt-3 max-w-sm text-pretty text-center text-soft text-sm">
    Questions? Write to{' '}
    <a href={`mailto:${email}`} className={TEXT_LINK}>
      {email}
    </a>
    .
  </p>
)

export const TEXT_LINK = 'font-medium text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2'
