import { TEXT_LINK } from '~/pages/sign-in/auth-layout.tsx'

/** Where partners can ask the program, below every screen. */
export const SupportLine = ({ email }: { email: string | null }) =>
  email && (
    <p className="mx-auto max-w-6xl px-4 pb-6 text-soft text-sm sm:px-6 lg:px-8">
      Questions? Write to{' '}
      <a href={`mailto:${email}`} className={TEXT_LINK}>
        {email}
      </a>
      .
    </p>
  )
