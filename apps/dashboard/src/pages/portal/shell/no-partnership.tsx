import { Link } from '@tanstack/react-router'
import { buttonClass } from '~/components/controls/button.tsx'
import { AuthLayout } from '~/pages/sign-in/auth-layout.tsx'

/** For signed-in users without a partnership. */
export const NoPartnership = () => (
  <AuthLayout
    title="You are not a partner yet"
    description="Open an invitation or apply to a program. Your links and commissions will appear here."
  >
    <Link to="/" className={buttonClass({}, 'w-full')}>
      Go to dashboard
    </Link>
  </AuthLayout>
)
