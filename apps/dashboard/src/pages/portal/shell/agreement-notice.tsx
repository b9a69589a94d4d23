import { Link, useLocation } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'
import { buttonClass } from '~/components/controls/button.tsx'

/** Asks for a version that the partner has not accepted. The portal keeps working without it. */
export const AgreementNotice = ({ program: { programId, status, agreement } }: { program: PortalProgram }) => {
  const { pathname } = useLocation()
  const isAccepted = !agreement || agreement.acceptedVersion === agreement.version
  if (isAccepted || status === 'pending' || pathname.endsWith('/agreement')) return null
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6 lg:px-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
        <p className="flex items-start gap-2">
          <ScrollText aria-hidden className="mt-px size-4 shrink-0" />
          {agreement.acceptedVersion === null
            ? 'The program asks you to accept its agreement.'
            : 'The program agreement has changed. Read and accept the new version.'}
        </p>
        <Link
          to="/portal/$programId/agreement"
          params={{ programId: String(programId) }}
          className={buttonClass({ size: 'small' })}
        >
          Read agreement
        </Link>
      </div>
    </div>
  )
}
