import type { WebhookEndpoint } from '@tributary/contract'
import { PREVIOUS_WEBHOOK_SECRET_HOURS } from '@tributary/contract/webhook-limits'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { ShownOnce } from '~/components/shown-once.tsx'
import { SECRET_ADVICE } from './create-endpoint.tsx'

type Props = { endpoint: WebhookEndpoint | null; onClose: () => void }

export const RotateSecret = ({ endpoint, onClose }: Props) => (
  <Dialog open={endpoint !== null} onOpenChange={onClose} title="Rotate secret">
    {endpoint && <Rotate endpoint={endpoint} onDone={onClose} />}
  </Dialog>
)

const Rotate = ({ endpoint, onDone }: { endpoint: WebhookEndpoint; onDone: () => void }) => {
  const { id, url } = endpoint
  const { program } = useProgram()
  const rotate = useChange(
    'post /api/programs/{programId}/webhook-endpoints/{endpointId}/rotate',
    { programId: program.id, endpointId: id },
    { gcTime: 0 },
  )
  if (rotate.data) {
    const { secret, previousSecretValidUntil } = rotate.data
    return (
      <div className="flex flex-col gap-4">
        {previousSecretValidUntil && (
          <p className="text-soft text-sm">
            Requests are signed with both the previous and the new secret until {formatTime(previousSecretValidUntil)}.
          </p>
        )}
        <ShownOnce secret={secret} noun="secret" onDone={onDone}>
          {SECRET_ADVICE}
        </ShownOnce>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere text-soft text-sm">
        {endpoint.previousSecretValidUntil
          ? `A rotation is running: the previous secret works until ${formatTime(endpoint.previousSecretValidUntil)}. If you rotate again, the newest secret for ${url} is replaced and stops working immediately.`
          : `This creates a new secret for ${url}. For ${PREVIOUS_WEBHOOK_SECRET_HOURS} hours, each request is signed with both the old and the new secret, so you can deploy the new one without losing events.`}
      </p>
      <FormError error={rotate.error} />
      <div className="flex justify-end">
        <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate({})}>
          Rotate secret
        </Button>
      </div>
    </div>
  )
}
