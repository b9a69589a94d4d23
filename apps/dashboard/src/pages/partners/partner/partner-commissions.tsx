import { Link } from '@tanstack/react-router'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Ago } from '~/components/format/time.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyLine, QueryView } from '~/components/states.tsx'
import { Amount, KINDS, State } from '~/pages/commissions/commission-columns.tsx'
import { CARD_LINK } from './card-link.ts'

const SHOWN = 6

export const PartnerCommissions = ({ partnerId }: { partnerId: number }) => {
  const { program } = useProgram()
  const query = { partnerId, pageSize: SHOWN }
  const commissions = useCall('get /api/programs/{programId}/commissions', { programId: program.id, query })
  return (
    <Card>
      <CardHeader title="Latest commissions" />
      <QueryView
        query={commissions}
        loading={<SkeletonRows rows={SHOWN} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <EmptyLine title="No commissions yet">
            Commissions appear here after this partner’s first lead or sale.
          </EmptyLine>
        }
      >
        {({ data }) => (
          <>
            <ul className="flex flex-col divide-y divide-line px-5 pt-2">
              {data.map((commission) => (
                <li key={commission.id} className="flex min-h-12 items-center justify-between gap-3 py-2 text-sm">
                  <span className="w-20 shrink-0">
                    <span className="block">{KINDS[commission.kind]}</span>
                    <span className="block text-faint text-xs">
                      <Ago at={commission.earnedAt} />
                    </span>
                  </span>
                  <span className="min-w-0 flex-1">
                    <State commission={commission} />
                  </span>
                  <span className="text-right tabular-nums">
                    <Amount commission={commission} />
                  </span>
                </li>
              ))}
            </ul>
            <Link
              to="/programs/$programId/commissions"
              params={{ programId: String(program.id) }}
              search={{ partnerId: String(partnerId) }}
              className={CARD_LINK}
            >
              View all commissions
            </Link>
          </>
        )}
      </QueryView>
    </Card>
  )
}
