import type { WebhookEndpoint } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { useKept } from './use-kept.ts'

type Props = { endpoint: WebhookEndpoint | null; onClose: () => void }

export const ToggleEndpoint = ({ endpoint, onClose }: Props) => {
  const { program } = useProgram()
  const change = useChange('patch /api/programs/{programId}/webhook-endpoints/{endpointId}', { programId: program.id })
  const shown = useKept(endpoint)
  const isDisabling = shown?.enabled ?? true
  const close = () => {
    change.reset()
    onClose()
  }
  const confirm = () =>
    endpoint &&
    change.mutate(
      { endpointId: endpoint.id, body: { enabled: !endpoint.enabled } },
      {
        onSuccess: () => {
          close()
          toast.done(isDisabling ? 'Endpoint disabled.' : 'Endpoint enabled.')
        },
      },
    )
  return (
    <ConfirmDialog
      open={endpoint !== null}
      onOpenChange={close}
      title={isDisabling ? 'Disable this endpoint?' : 'Enable this endpoint?'}
      confirm={isDisabling ? 'Disable endpoint' : 'Enable endpoint'}
      busy={change.isPending}
      error={change.error}
      onConfirm={confirm}
    >
      {isDisabling
        ? 'Pending deliveries wait until you enable it again. Events that happen while it is disabled are not sent to it.'
        : 'Pending deliveries are sent now. Events that happened while it was disabled are not sent; read them with GET /api/v1/events.'}
      <span className="wrap-anywhere mt-2 block font-medium text-ink">{shown?.url}</span>
    </ConfirmDialog>
  )
}
