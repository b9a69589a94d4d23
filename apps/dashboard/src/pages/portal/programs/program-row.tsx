import { Link } from '@tanstack/react-router'
import type { PortalBalances } from '@tributary/contract'
import type { PortalProgram } from '~/api/portal.ts'
import { StateChip } from '~/components/badge.tsx'
import { BrandLogo } from '~/components/brand.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import type { Figure } from './figures.ts'

type Props = { program: PortalProgram; row: PortalBalances; figures: Figure[] }

export const ProgramRow = ({ program, row: { balances, needsPayoutDetails }, figures }: Props) => {
  const { programId, programName, brand, status, archived, currency } = program
  const params = { programId: String(programId) }
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 hover:bg-hover/60">
      <div className="flex min-w-0 items-center gap-3">
        <BrandLogo brand={brand} className="h-8 shrink-0" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2">
            <Link
              to="/portal/$programId"
              params={params}
              className="wrap-anywhere rounded font-medium after:absolute after:inset-0 focus-visible:-outline-offset-2"
            >
              {programName}
            </Link>
            <StateChip state={archived ? 'archived' : status} />
          </div>
          {needsPayoutDetails && (
            <Link
              to="/portal/$programId/payouts"
              params={params}
              className="relative z-10 text-sm text-warn-ink underline underline-offset-3"
            >
              Add payout details
            </Link>
          )}
        </div>
      </div>
      <dl className="grid w-full grid-cols-2 gap-4 text-sm sm:w-[28rem] sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
        {figures.map(({ label, of }) => (
          <div key={label}>
            <dt className="text-faint text-xs">{label}</dt>
            <dd className="font-medium tabular-nums">
              <Amounts
                of={balances.map((balance) => ({ currency: balance.currency, amountCents: of(balance) }))}
                currency={currency}
              />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
