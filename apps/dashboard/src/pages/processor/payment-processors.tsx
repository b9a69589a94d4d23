import type { ProcessorConnection } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ConnectionCard } from './connection-card.tsx'

const POLL_MS = 5_000

const describe = (status: ProcessorConnection['status'] | undefined) =>
  status === 'connected' || status === 'restricted'
    ? 'Stripe reports payments, refunds and disputes.'
    : 'Connect Stripe to track payments, refunds and disputes.'

export const PaymentProcessors = () => {
  const { program } = useProgram()
  const connection = useCall(
    'get /api/programs/{programId}/processor',
    { programId: program.id },
    { refetchInterval: POLL_MS },
  )
  return (
    <Page title="Payment processors" description={describe(connection.data?.status)}>
      <Card>
        <QueryView query={connection} loading={<ConnectionSkeleton />}>
          {(data) => <ConnectionCard connection={data} />}
        </QueryView>
      </Card>
    </Page>
  )
}

const ConnectionSkeleton = () => (
  <Loading className="flex flex-col gap-3 p-5">
    <Skeleton className="h-5 w-40" />
    <Skeleton className="h-9 w-full" />
  </Loading>
)
