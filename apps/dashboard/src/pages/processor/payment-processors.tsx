import type { ProcessorConnection } from '@tributary/contract'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { Inbox } from './inbox.tsx'
import { ReplayDialog } from './replay-dialog.tsx'

const POLL_MS = 5_000

const describe = (status: ProcessorConnection['status'] | undefined) =>
  status === 'connected' || status === 'restricted'
    ? 'Stripe reports payments, refunds and disputes. Every event is listed with its outcome.'
    : 'Connect Stripe to track payments, refunds and disputes. Every event is then listed with its outcome.'

export const Processor = () => {
  const { program, may } = useProgram()
  const connection = useCall(
    'get /api/programs/{programId}/processor',
    { programId: program.id },
    { refetchInterval: POLL_MS },
  )
  const [isReplaying, setReplaying] = useState(false)
  return (
    <Page
      title="Payment processor"
      description={describe(connection.data?.status)}
      actions={
        may('key:manage') &&
        connection.data &&
        connection.data.status !== 'not_connected' && (
          <Button onClick={() => setReplaying(true)}>
            <RotateCcw aria-hidden /> Replay events
          </Button>
        )
      }
    >
      <Card>
        <QueryView query={connection} loading={<ConnectionSkeleton />}>
          {(data) => <ConnectionCard connection={data} />}
        </QueryView>
      </Card>
      <Inbox />
      <ReplayDialog open={isReplaying} onOpenChange={setReplaying} />
    </Page>
  )
}

const ConnectionSkeleton = () => (
  <Loading className="flex flex-col gap-3 p-5">
    <Skeleton className="h-5 w-40" />
    <Skeleton className="h-9 w-full" />
  </Loading>
)
