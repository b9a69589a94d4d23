import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useProgram } from '~/app/program-context.ts'

type OfSomebody = { partnerId: number | null; partnerName: string | null }
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

/** Whose a row is, where it is somebody's. */
export const PartnerOf = ({ row: { partnerId, partnerName } }: { row: OfSomebody }) =>
  partnerId === null ? (
    <span className="text-faint">–</span>
  ) : (
    <PartnerLink partnerId={partnerId} partnerName={partnerName ?? ''} className="" />
  )
