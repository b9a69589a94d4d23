import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useProgram } from '~/app/program-context.ts'

type OfSomebody = { partnerId: number | null; partnerName: string | null }
type Props = { partnerId: number; partnerName: string; className?: string; whole?: boolean }

/** In a list a long name is cut, and whole on hover; on a phone it has the line that it has. */
const CUT = 'inline-block max-w-56 truncate align-bottom max-sm:max-w-full'

/** A name that leads to the partner, for whoever may go there. It stands above a row that opens something else. */
export const PartnerLink = ({ partnerId, partnerName, className = 'font-medium', whole }: Props) => {
  const { program, may } = useProgram()
  const look = clsx(whole ? 'wrap-anywhere' : CUT, className)
  if (!may('tracking:read'))
    return (
      <span className={look} title={partnerName}>
        {partnerName}
      </span>
    )
  return (
    <Link
      to="/programs/$programId/partners/$partnerId"
      params={{ programId: String(program.id), partnerId: String(partnerId) }}
      title={partnerName}
      className={clsx('relative rounded hover:underline', look)}
    >
      {partnerName}
    </Link>
  )
}

/** Whose a row is, where it is somebody's. */
export const PartnerOf = ({ row: { partnerId, partnerName }, whole = false }: { row: OfSomebody; whole?: boolean }) =>
  partnerId === null ? (
    <span className="text-faint">–</span>
  ) : (
    <PartnerLink partnerId={partnerId} partnerName={partnerName ?? ''} className="" whole={whole} />
  )
