import { Link } from '@tanstack/react-router'
import { CircleQuestionMark } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'

type Target = { saleId: number | string } | { leadId: number | string }
type Props = {
  of: Target
  look?: 'link' | 'button' /** Defaults to the current program. */
  programId?: number
}

const TEXT = 'rounded font-medium text-accent-ink text-xs hover:underline'

/** Links to the page that explains why a sale or lead was credited or not. */
export const ExplainLink = ({ of, look = 'link', programId: other }: Props) => {
  const { program } = useProgram()
  const programId = String(other ?? program.id)
  const className = look === 'link' ? TEXT : buttonClass()
  const label = <>{look === 'button' && <CircleQuestionMark aria-hidden />} Check attribution</>
  return 'saleId' in of ? (
    <Link
      to="/programs/$programId/sales/$saleId"
      params={{ programId, saleId: String(of.saleId) }}
      className={className}
    >
      {label}
    </Link>
  ) : (
    <Link
      to="/programs/$programId/sales/leads/$leadId"
      params={{ programId, leadId: String(of.leadId) }}
      className={className}
    >
      {label}
    </Link>
  )
}
