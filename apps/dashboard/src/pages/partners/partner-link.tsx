import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { usePartnerNames } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'

type Props = { partnerId: number; partnerName: string; className?: string }

/** A name that leads to the partner, for whoever may go there. It stands above a row that opens something else. */
export const PartnerLink = ({ partnerId, partnerName, className = 'font-medium' }: Props) => {
  const { program, may } = useProgram()
  if (!may('tracking:read')) return <span className={className}>{partnerName}</span>
  return (
    <Link
      to="/programs/$programId/partners/$partnerId"
      params={{ programId: String(program.id), partnerId: String(partnerId) }}
      className={clsx('relative rounded hover:underline', className)}
    >
      {partnerName}
    </Link>
  )
}

/** For rows that carry a partner's number only. */
export const PartnerById = ({ partnerId }: { partnerId: number | null }) => {
  const { program } = useProgram()
  const partnerName = usePartnerNames(program.id)(partnerId)
  if (partnerId === null || partnerName === null) return <span className="text-faint">–</span>
  return <PartnerLink partnerId={partnerId} partnerName={partnerName} className="" />
}
