import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'

type Props = { partnerId: number; partnerName: string }

/** A name that leads to the partner, for whoever may go there. */
export const PartnerLink = ({ partnerId, partnerName }: Props) => {
  const { program, may } = useProgram()
  if (!may('tracking:read')) return <span className="font-medium">{partnerName}</span>
  return (
    <Link
      to="/programs/$programId/partners/$partnerId"
      params={{ programId: String(program.id), partnerId: String(partnerId) }}
      className="rounded font-medium hover:underline"
    >
      {partnerName}
    </Link>
  )
}
