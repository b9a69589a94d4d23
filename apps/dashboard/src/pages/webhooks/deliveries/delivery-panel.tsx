import type { WebhookDeliveryDetail } from '@tributary/contract'
import { RotateCw } from 'lucide-react'
import { useChange } from '~/api/call.ts'
import { useWebhookDelivery } from '~/api/webhooks.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { type Fact, FactList } from '~/components/facts/fact-list.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { useKept } from '../use-kept.ts'
import { Attempts, Text } from './attempts.tsx'

type Props = { deliveryId: number | null; onClose: () => void }

export const DeliveryPanel = ({ deliveryId, onClose }: Props) => {
  const shown = useKept(deliveryId)
  return (
    <Drawer open={deliveryId !== null} onOpenChange={onClose} title="Delivery">
      {shown !== null && <Delivery key={shown} deliveryId={shown} onClose={onClose} />}
    </Drawer>
  )
}

const Delivery = ({ deliveryId, onClose }: { deliveryId: number; onClose: () => void }) => {
  const { program } = useProgram()
  const delivery = useWebhookDelivery(program.id, deliveryId)
  return (
    <QueryView
      query={delivery}
      missing={{ noun: 'delivery', back: <Button onClick={onClose}>Close</Button> }}
      loading={
        <Loading className="flex flex-col gap-3">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      }
    >
      {(loaded) => <Loaded delivery={loaded} />}
    </QueryView>
  )
}

const Loaded = ({ delivery }: { delivery: WebhookDeliveryDetail }) => (
  <div className="flex flex-col gap-5">
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <p className="wrap-anywhere font-medium text-sm">{delivery.type}</p>
        <p className="mt-1.5">
          <StateChip state={delivery.state} />
        </p>
      </div>
      <Resend delivery={delivery} />
    </div>
    <FactList facts={factsOf(delivery)} />
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">Attempts</h3>
      {delivery.attemptList.length === 0 ? (
        <p className="text-soft text-sm">Nothing was sent yet.</p>
      ) : (
        <Attempts attempts={delivery.attemptList} />
      )}
    </section>
    <section>
      <h3 className="font-medium text-sm">Request</h3>
      {delivery.body === null ? (
        <p className="mt-1 text-soft text-sm">The event has expired, so its body is no longer available.</p>
      ) : (
        <Text label="Body" text={readable(delivery.body)} />
      )}
    </section>
  </div>
)

/** The service sends it without spaces. */
const readable = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const factsOf = (delivery: WebhookDeliveryDetail): Fact[] => [
  { label: 'Endpoint', value: delivery.endpointUrl },
  { label: 'Event', value: delivery.eventId, copy: delivery.eventId },
  { label: 'Sequence', value: delivery.sequence },
  { label: 'webhook-id', value: delivery.webhookId, copy: delivery.webhookId },
  { label: 'Created', value: formatTime(delivery.createdAt) },
  ...(delivery.deliveredAt ? [{ label: 'Delivered', value: formatTime(delivery.deliveredAt) }] : []),
  ...(delivery.state === 'pending' ? [{ label: 'Next attempt', value: nextAttempt(delivery) }] : []),
]

const nextAttempt = ({ nextAttemptAt }: WebhookDeliveryDetail) =>
  nextAttemptAt ? formatTime(nextAttemptAt) : 'When the endpoint is enabled'

const Resend = ({ delivery: { id } }: { delivery: WebhookDeliveryDetail }) => {
  const { program } = useProgram()
  const resend = useChange('post /api/programs/{programId}/webhook-deliveries/{deliveryId}/resend', {
    programId: program.id,
    deliveryId: id,
  })
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        busy={resend.isPending}
        onClick={() => resend.mutate({}, { onSuccess: () => toast.done('The event will be resent.') })}
      >
        <RotateCw aria-hidden /> Resend
      </Button>
      <FormError error={resend.error} />
    </div>
  )
}
