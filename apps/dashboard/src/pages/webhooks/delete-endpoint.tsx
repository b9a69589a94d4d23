import type { WebhookEndpoint } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { useKept } from './use-kept.ts'

type Props = { endpoint: WebhookEndpoint | null; onClose: () => void }

export const DeleteEndpoint = ({ endpoint, onClose }: Props) => {
  const { program } = useProgram()
  const remove = useChange('delete /api/programs/{programId}/webhook-endpoints/{endpointId}', { programId: program.id })
  const shown = useKept(endpoint)
  const close = () => {
    remove.reset()
    onClose()
  }
  const confirm = () =>
    endpoint &&
    remove.mutate(
      { endpointId: endpoint.id },
      {
        onSuccess: () => {
          close()
          toast.done('Endpoint deleted.')
        },
      },
    )
  return (
    <ConfirmDialog
      open={endpoint !== null}
      onOpenChange={close}
      title="Delete this endpoint?"
      confirm="Delete endpoint"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
    >
      No more events are sent to this endpoint, and pending deliveries are dropped. Past deliveries stay listed. This
      can’t be undone.
      <span className="wrap-anywhere mt-2 block font-medium text-ink">{shown?.url}</span>
    </ConfirmDialog>
  )
}
