import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'

type OfSomebody = { partnerId: number | null; partnerName: string | null; partnerArchived: boolean }
type Props = {
  partnerId: number
  partnerName: string
  /** Adds the badge. Left out in the middle of a sentence. */
  partnerArchived?: boolean
  className?: string
  whole?: boolean
}

type Named = { partnerId: number; partnerName: string; partnerArchived: boolean }

/** The partner of a row of money, without the rest of it. */
export const ofPartner = ({ partnerId, partnerName, partnerArchived }: Named): Named => ({
  partnerId,
  partnerName,
  partnerArchived,
})

/** In a list a long name is cut, and whole on hover; on a phone it has the line that it has. */
const CUT = 'inline-block max-w-56 truncate align-bottom max-sm:max-w-full'

/** A name that leads to the partner, for readers who may go there. It stays clickable in a row that opens something else. */
export const PartnerLink = ({ partnerArchived = false, ...props }: Props) =>
  partnerArchived ? (
    <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-x-2 gap-y-0.5">
      <Name {...props} />
      <StateChip state="archived" />
    </span>
  ) : (
    <Name {...props} />
  )

const Name = ({ partnerId, partnerName, className = 'font-medium', whole }: Omit<Props, 'partnerArchived'>) => {
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

type OfProps = { row: OfSomebody; whole?: boolean }

/** The partner of a row, or a dash where it has none. */
export const PartnerOf = ({ row: { partnerId, partnerName, partnerArchived }, whole = false }: OfProps) =>
  partnerId === null ? (
    <span className="text-faint">–</span>
  ) : (
    <PartnerLink
      partnerId={partnerId}
      partnerName={partnerName ?? ''}
      partnerArchived={partnerArchived}
      className=""
      whole={whole}
    />
  )
