import type { WebhookDeliveryDetail, WebhookEndpoint } from '@tributary/contract'
import { LoaderCircle } from 'lucide-react'
import { useChange } from '~/api/call.ts'
import { useWebhookDelivery } from '~/api/webhooks.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { AttemptResult, StatusBadge } from './deliveries/attempts.tsx'

type Props = { endpoint: WebhookEndpoint | null; onClose: () => void }

export const TestEvent = ({ endpoint, onClose }: Props) => (
  <Dialog open={endpoint !== null} onOpenChange={onClose} title="Send test event">
    {endpoint && <Test endpoint={endpoint} />}
  </Dialog>
)

const Test = ({ endpoint: { id, url } }: { endpoint: WebhookEndpoint }) => {
  const { program } = useProgram()
  const send = useChange('post /api/programs/{programId}/webhook-endpoints/{endpointId}/test', {
    programId: program.id,
    endpointId: id,
  })
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere text-soft text-sm">
        This sends a <code className="font-mono text-xs">test.ping</code> event to {url} and shows the response.
      </p>
      {send.data && <Result key={send.data.id} deliveryId={send.data.id} />}
      <FormError error={send.error} />
      <div className="flex justify-end">
        <Button look="primary" busy={send.isPending} onClick={() => send.mutate({})}>
          {send.data ? 'Send another' : 'Send test event'}
        </Button>
      </div>
    </div>
  )
}

/** Waits for the first attempt. */
const Result = ({ deliveryId }: { deliveryId: number }) => {
  const { program } = useProgram()
  const { data, error } = useWebhookDelivery(program.id, deliveryId, { isWatched: true })
  return (
    <div role="status" className="rounded-lg border border-line px-3.5 py-3 text-sm">
      {error && !data ? <FormError error={error} /> : <Outcome delivery={data} />}
    </div>
  )
}

const Outcome = ({ delivery }: { delivery: WebhookDeliveryDetail | undefined }) => {
  const attempt = delivery?.attemptList.at(0)
  if (!attempt)
    return (
      <span className="flex items-center gap-2 text-soft">
        <LoaderCircle aria-hidden className="size-4 animate-spin" /> Waiting for the response…
      </span>
    )
  return (
    <div className="flex flex-col items-start gap-2">
      <StatusBadge attempt={attempt} />
      <AttemptResult attempt={attempt} />
    </div>
  )
}
