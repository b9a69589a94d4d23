import { Link } from '@tanstack/react-router'
import { buttonClass } from '~/components/controls/button.tsx'
import { isInactive, usePartnership } from './portal-context.ts'

/** Next step of an empty list: share a link. */
export const LinksButton = () => {
  const partnership = usePartnership()
  if (isInactive(partnership)) return null
  return (
    <Link
      to="/portal/$programId/links"
      params={{ programId: String(partnership.programId) }}
      className={buttonClass({ look: 'primary' })}
    >
      View your links
    </Link>
  )
}
