import { Link } from '@tanstack/react-router'
import { CircleQuestionMark } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'

type Of = { saleId: number | string } | { leadId: number | string }
type Props = {
  of: Of
  look?: 'link' | 'button' /** Of the sale, where it is another one than the page's. */
  programId?: number
}

const TEXT = 'rounded font-medium text-accent-ink text-xs hover:underline'

/** To the page that says why a sale or a sign-up was credited, or was not. A commission has one of the two. */
export const ExplainLink = ({ of, look = 'link', programId: other }: Props) => {
  const { program } = useProgram()
  const programId = String(other ?? program.id)
  const className = look === 'link' ? TEXT : buttonClass()
  const label = <>{look === 'button' && <CircleQuestionMark aria-hidden />} Explain</>
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
      to="/programs/$programId/leads/$leadId"
      params={{ programId, leadId: String(of.leadId) }}
      className={className}
    >
      {label}
    </Link>
  )
}
