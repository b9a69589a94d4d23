import { Link } from '@tanstack/react-router'
import { buttonClass } from '~/components/controls/button.tsx'
import { Entrance } from '~/pages/sign-in/entrance.tsx'

/** Somebody who is signed in, but is nobody's partner. */
export const NoPartnership = () => (
  <Entrance
    title="You are not a partner yet"
    description="Open the invitation that a program has sent you, or the page on which it takes applications. Then your links and earnings are here."
  >
    <Link to="/" className={buttonClass({}, 'w-full')}>
      Go to the dashboard
    </Link>
  </Entrance>
)
