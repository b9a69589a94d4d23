import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { isConnected } from './connection-text.ts'
import { ProcessorCard } from './processor-card.tsx'

const POLL_MS = 5_000

export const PaymentProcessors = () => {
  const { program } = useProgram()
  const processors = useCall(
    'get /api/programs/{programId}/processors',
    { programId: program.id },
    { refetchInterval: POLL_MS },
  )
  return (
    <Page
      title="Payment processors"
      description="They report payments, refunds and disputes. A program can use several at the same time."
    >
      <QueryView query={processors} loading={<ProcessorsSkeleton />}>
        {({ data }) => (
          <div className="flex min-w-0 flex-col gap-3">
            {data.map((connection, index) => (
              <ProcessorCard
                key={connection.processor}
                connection={connection}
                startsOpen={data.some(isConnected) ? isConnected(connection) : index === 0}
              />
            ))}
          </div>
        )}
      </QueryView>
    </Page>
  )
}

const ProcessorsSkeleton = () => (
  <Card>
    <Loading className="flex flex-col gap-3 p-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-9 w-full" />
    </Loading>
  </Card>
)
