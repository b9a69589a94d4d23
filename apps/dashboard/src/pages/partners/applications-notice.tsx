import { Link } from '@tanstack/react-router'
import { UserRoundCheck } from 'lucide-react'
import { useApplicationCount } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatNumber } from '~/components/format/format.ts'

/** Applicants wait until a member decides, so the list shows this first. */
export const ApplicationsNotice = () => {
  const { program, may } = useProgram()
  const count = useApplicationCount(program.id)
  if (count === 0) return null
  const mayApprove = may('partner:manage')
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-warn-soft px-5 py-3 text-sm text-warn-ink">
      <p className="flex min-w-0 items-start gap-2">
        <UserRoundCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {formatNumber(count)} {count === 1 ? 'application needs' : 'applications need'} {mayApprove && 'your '}
          approval
        </span>
      </p>
      {mayApprove && (
        <Link
          to="/programs/$programId/partners"
          params={{ programId: String(program.id) }}
          search={{ status: 'pending' }}
          className={buttonClass({ size: 'small' })}
        >
          Review applications
        </Link>
      )}
    </div>
  )
}
