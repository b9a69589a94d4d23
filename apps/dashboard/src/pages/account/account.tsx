import { Link, useSearch } from '@tanstack/react-router'
import { useSession } from '~/api/accounts/session.ts'
import { BACK_LINK, BackLabel } from '~/components/back-link.tsx'
import { Logo } from '~/components/logo.tsx'
import { CONTENT_ID } from '~/components/overlays/menu.tsx'
import { Page } from '~/components/page.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** Outside the program shell, so partners can reach it too. */
export const Account = () => {
  const { data: session } = useSession()
  const isFromPortal = useSearch({ strict: false, select: ({ from }) => from === 'portal' })
  const home = isFromPortal ? '/portal' : '/'
  return (
    <div className="min-h-dvh">
      <header className="flex h-12 items-center gap-2.5 border-line border-b bg-surface px-4 font-semibold text-sm sm:px-6 lg:px-8">
        <Link to={home} className="flex items-center gap-2.5 rounded">
          <Logo className="size-6" /> Tributary
        </Link>
      </header>
      <main id={CONTENT_ID}>
        <Page
          title="Account settings"
          description="Manage your name, password, two-factor sign-in and sessions."
          back={
            <Link to={home} className={BACK_LINK}>
              <BackLabel>{isFromPortal ? 'Partner portal' : 'Dashboard'}</BackLabel>
            </Link>
          }
        >
          {session && <ProfileSection user={session.user} />}
          <PasswordSection />
          <TwoFactorSection />
          <SessionsSection />
        </Page>
      </main>
    </div>
  )
}
