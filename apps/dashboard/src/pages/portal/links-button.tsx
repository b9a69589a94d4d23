import { Link } from '@tanstack/react-router'
import { buttonClass } from '~/components/controls/button.tsx'
import { usePartnership } from './portal-context.ts'

/** Next step of an empty list: share a link. */
export const LinksButton = () => {
  const { programId } = usePartnership()
  return (
    <Link
      to="/portal/$programId/links"
      params={{ programId: String(programId) }}
      className={buttonClass({ look: 'primary' })}
    >
      View your links
    </Link>
  )
}
