import { Link } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { instance } from '~/instance.ts'

/** The address where people apply, and its settings. */
export const ApplicationPage = () => {
  const { program } = useProgram()
  return (
    <>
      {program.applicationsOpen && (
        <CopyButton
          text={`${instance.portalUrl}/apply/${program.id}`}
          label="Copy application link"
          look="secondary"
          size="medium"
        />
      )}
      <Link
        to="/programs/$programId/settings/applications"
        params={{ programId: String(program.id) }}
        className={buttonClass()}
      >
        <Settings aria-hidden /> Application settings
      </Link>
    </>
  )
}
