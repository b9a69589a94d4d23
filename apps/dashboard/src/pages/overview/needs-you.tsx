import { Link } from '@tanstack/react-router'
import type { Waiting } from '@tributary/contract'
import { ChevronRight } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount } from '~/components/format/format.ts'
import { isReady, totalsByCurrency } from '../payouts/totals.ts'

type Item = {
  to:
    | 'partners/applications'
    | 'commissions'
    | 'payouts'
    | 'payouts/draft'
    | 'settings/webhooks'
    | 'settings/payment-processors'
  text: string
  search?: { state: string } | { view: string }
}

const counted = (count: number | null | undefined, item: (count: number) => Item): Item[] =>
  count ? [item(count)] : []

const itemsOf = ({ applications, reviews, payouts, webhooks, processors }: Waiting): Item[] => [
  ...counted(applications, (count) => ({
    to: 'partners/applications',
    text: `${formatCount(count, 'application')} to decide`,
  })),
  ...counted(reviews?.count, (count) => ({
    to: 'commissions',
    search: { state: 'review' },
    text: `${reviews?.isMore ? 'More than ' : ''}${formatCount(count, 'commission')} to review`,
  })),
  ...(payouts?.draft ? [{ to: 'payouts/draft' as const, text: '1 payout draft to review' }] : []),
  ...counted(payouts?.open, (count) => ({
    to: 'payouts',
    search: { view: 'payouts' },
    text: `${formatCount(count, 'payout')} to send`,
  })),
  ...counted(webhooks, (count) => ({
    to: 'settings/webhooks',
    text: `${formatCount(count, 'failing webhook')} to repair`,
  })),
  ...counted(processors, () => ({ to: 'settings/payment-processors', text: 'Payment processor to reconnect' })),
]

/** What partners are owed now, and everything that waits for a person. Nothing in a program that has neither. */
export const NeedsYou = () => {
  const { program } = useProgram()
  const programId = program.id
  const waiting = useCall('get /api/programs/{programId}/waiting', { programId })
  const balances = useCall('get /api/programs/{programId}/payouts/preview', { programId })
  if (!waiting.data || balances.isPending) return null
  const items = itemsOf(waiting.data)
  const ready = (balances.data?.data ?? []).filter((balance) => balance.excludedReason === null && isReady(balance))
  if (items.length === 0 && ready.length === 0) return null
  return (
    <Card weight="lead" className="flex flex-wrap gap-x-10 gap-y-4 px-5 py-4">
      {balances.data && (
        <div className="min-w-0">
          <h2 className="text-soft text-sm">Ready to pay</h2>
          <p className="mt-0.5 text-figure">
            <Amounts of={totalsByCurrency(ready)} currency={program.currency} />
          </p>
          {ready.length > 0 && (
            <PayLink
              partners={new Set(ready.map(({ partnerId }) => partnerId)).size}
              isDrafted={waiting.data.payouts?.draft === true}
            />
          )}
        </div>
      )}
      {mayDecide(waiting.data) && <Decisions items={items} />}
    </Card>
  )
}

/** The service leaves out what the caller's role may not act on. */
const mayDecide = (waiting: Waiting) => Object.values(waiting).some((what) => what !== null)

const Decisions = ({ items }: { items: Item[] }) => {
  const { program } = useProgram()
  return (
    <div className="min-w-0 flex-1 basis-64">
      <h2 className="text-soft text-sm">Needs you</h2>
      {items.length === 0 ? (
        <p className="mt-1 text-sm">Nothing else waits for a decision.</p>
      ) : (
        <ul className="-mx-2 mt-0.5 grid sm:grid-cols-2">
          {items.map(({ to, search, text }) => (
            <li key={text}>
              <Link
                to={`/programs/$programId/${to}`}
                params={{ programId: String(program.id) }}
                {...(search && { search })}
                className="group flex h-8 items-center gap-1 rounded-md px-2 font-medium text-accent-ink text-sm hover:bg-hover"
              >
                {text} <ChevronRight aria-hidden className="size-4" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** While a draft waits, reviewing it is the way to pay. */
const PayLink = ({ partners, isDrafted }: { partners: number; isDrafted: boolean }) => {
  const { program, may } = useProgram()
  const params = { programId: String(program.id) }
  const to = `to ${formatCount(partners, 'partner')}`
  if (isDrafted || !may('payout:manage')) return <p className="mt-1 text-faint text-xs">{to}</p>
  return (
    <Link
      to="/programs/$programId/payouts"
      params={params}
      className={buttonClass({ look: 'primary', size: 'small' }, 'mt-2')}
    >
      Pay {formatCount(partners, 'partner')}
    </Link>
  )
}
