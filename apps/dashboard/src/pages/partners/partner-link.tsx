import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'

type MaybePartner = { partnerId: number | null; partnerName: string | null; partnerArchived: boolean }
type Props = {
  partnerId: number
  partnerName: string
  /** Adds a badge; omit within a sentence. */
  partnerArchived?: boolean
  className?: string
  whole?: boolean
}

type PartnerName = { partnerId: number; partnerName: string; partnerArchived: boolean }

/** Picks the partner fields from a row. */
export const partnerProps = ({ partnerId, partnerName, partnerArchived }: PartnerName): PartnerName => ({
  partnerId,
  partnerName,
  partnerArchived,
})

/** Truncates long names in lists; the tooltip has the full name. */
const TRUNCATED = 'inline-block max-w-56 truncate align-bottom max-xl:max-w-40 max-lg:max-w-32 max-sm:max-w-full'

/** Links to the partner if the user may see partners. Clickable even in a row that opens something else. */
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
  const look = clsx(whole ? 'wrap-anywhere' : TRUNCATED, className)
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

type CellProps = { row: MaybePartner; whole?: boolean }

/** The partner of a row, or a dash. */
export const PartnerCell = ({ row: { partnerId, partnerName, partnerArchived }, whole = false }: CellProps) =>
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
