import { Link, useParams } from '@tanstack/react-router'
import type { Payout as PayoutData } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { BackLink } from '~/components/back-link.tsx'
import { Card } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatTime } from '~/components/format/format.ts'
import { exclusionReason } from '~/components/format/money-state.ts'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { EditPayout } from './edit-payout.tsx'
import { MarkAllPaid } from './mark-all-paid.tsx'
import { PayoutFiles } from './payout-files.tsx'
import { PayoutLines } from './payout-lines.tsx'
import { PayoutTotals } from './payout-totals.tsx'

export const Payout = () => {
  const { program, may } = useProgram()
  const { payoutId = '' } = useParams({ strict: false })
  const payout = useCall('get /api/programs/{programId}/payouts/{payoutId}', {
    programId: program.id,
    payoutId: Number(payoutId),
  })
  const open = payout.data?.lines.filter(({ status }) => status === 'open') ?? []
  const included = open.filter((line) => exclusionReason(line) === null)
  return (
    <Page
      title={`Payout ${payoutId}`}
      back={<BackLink programId={program.id} list="payouts" search="?view=payouts" />}
      description={payout.data && describePayout(payout.data)}
      actions={
        payout.data &&
        may('payout:manage') && (
          <>
            {open.length > 0 && <EditPayout payout={payout.data} />}
            <PayoutFiles payoutId={payout.data.id} lines={payout.data.lines} />
            {included.length > 0 && (
              <MarkAllPaid payoutId={payout.data.id} open={included} hasOthers={open.length > included.length} />
            )}
          </>
        )
      }
    >
      <QueryView
        query={payout}
        missing={{
          noun: 'payout',
          back: (
            <Link
              to="/programs/$programId/payouts"
              params={{ programId: String(program.id) }}
              search={{ view: 'payouts' }}
              className={buttonClass({ look: 'primary' })}
            >
              Go to payouts
            </Link>
          ),
        }}
        loading={
          <Card>
            <SkeletonRows />
          </Card>
        }
      >
        {(data) => <PayoutBody payout={data} />}
      </QueryView>
    </Page>
  )
}

const describePayout = ({ createdAt, reference, note }: PayoutData) =>
  [`Created on ${formatTime(createdAt)}`, reference && `Reference ${reference}`, note].filter(Boolean).join(' · ')

const PayoutBody = ({ payout }: { payout: PayoutData }) => (
  <>
    <PayoutTotals lines={payout.lines} />
    <PayoutLines payoutId={payout.id} />
  </>
)
