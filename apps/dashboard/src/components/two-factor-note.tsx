import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useSession } from '~/api/accounts/session.ts'

/** Shown before the user fills in a form that the service would refuse. Nothing if the session has a second factor. */
export const TwoFactorNote = ({ required, what }: { required: boolean; what: string }) => {
  const { data } = useSession()
  if (!required || !data || (data.user.twoFactorEnabled && data.session.secondFactorAt)) return null
  return (
    <p className="flex gap-2 rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm text-warn-ink">
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="text-pretty">
        {what} two-factor sign-in.{' '}
        {data.user.twoFactorEnabled ? (
          'Sign out and sign in again with a code.'
        ) : (
          <>
            Turn on two-factor sign-in in your{' '}
            <Link to="/account" className="font-medium underline underline-offset-3">
              account settings
            </Link>
            .
          </>
        )}
      </span>
    </p>
  )
}
