import type { WebhookEndpoint } from '@tributary/contract'
import { Plus, Webhook } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { CreateEndpoint } from './create-endpoint.tsx'
import { Deliveries } from './deliveries/deliveries.tsx'
import { EndpointsTable } from './endpoints-table.tsx'
import { VerifyCard } from './verify-card.tsx'

export const Webhooks = () => {
  const { program } = useProgram()
  const endpoints = useCall('get /api/programs/{programId}/webhook-endpoints', { programId: program.id })
  const [isCreating, setCreating] = useCreateDialog()
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Add endpoint
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      description="Send a signed request to your own systems whenever something happens in this program."
      actions={create}
    >
      <Card>
        <QueryView
          query={endpoints}
          loading={<SkeletonRows rows={3} />}
          isEmpty={({ data }) => data.length === 0}
          empty={
            <EmptyState icon={<Webhook />} title="No endpoints yet" action={create}>
              Add the address of your server, or of a Slack or Discord channel, and choose which events to send there.
            </EmptyState>
          }
        >
          {({ data }) => <EndpointsTable endpoints={data} />}
        </QueryView>
      </Card>
      <Deliveries endpoints={endpoints.data?.data ?? NONE} />
      <VerifyCard />
      <CreateEndpoint open={isCreating} onOpenChange={setCreating} />
    </Page>
  )
}

const NONE: WebhookEndpoint[] = []
