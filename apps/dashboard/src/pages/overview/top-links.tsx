import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { useLinks } from '~/api/links.ts'
import { usePartnerNames } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { formatNumber } from '~/components/format.ts'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'

const SHOWN = 6

/** By clicks of all time: the counter that every link carries. */
export const TopLinks = () => {
  const { program } = useProgram()
  const partnerName = usePartnerNames(program.id)
  const links = useLinks(program.id, { pageSize: 200 })
  return (
    <Card>
      <CardHeader title="Top links" description="By clicks, since the beginning" />
      <QueryView
        query={links}
        loading={<SkeletonRows rows={SHOWN} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <EmptyState icon={<Link2 />} title="No links yet">
            Partners share links; each link counts its own clicks.
          </EmptyState>
        }
      >
        {({ data }) => {
          const top = data.toSorted((a, b) => b.clicks - a.clicks).slice(0, SHOWN)
          const most = Math.max(1, top[0]?.clicks ?? 1)
          return (
            <ul className="flex flex-col gap-1 p-3">
              {top.map(({ id, aff, partnerId, clicks }) => (
                <li key={id} className="relative flex h-9 items-center justify-between gap-4 px-2 text-sm">
                  <span
                    aria-hidden
                    className="absolute inset-y-0.5 left-0 rounded-md bg-accent-soft"
                    style={{ width: `${Math.max(1, (clicks / most) * 82)}%` }}
                  />
                  <span className="relative min-w-0 truncate">
                    <span className="font-medium">{aff}</span>{' '}
                    <span className="text-soft">{partnerName(partnerId) ?? 'no partner'}</span>
                  </span>
                  <span className="relative tabular-nums">{formatNumber(clicks)}</span>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
      <Link
        to="/programs/$programId/links"
        params={{ programId: String(program.id) }}
        className="block rounded-b-xl border-line border-t px-5 py-2.5 text-soft text-xs hover:bg-hover/60 hover:text-ink focus-visible:-outline-offset-2"
      >
        All links
      </Link>
    </Card>
  )
}
