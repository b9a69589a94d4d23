import type { CreateWebhookEndpoint, WebhookEndpoint } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { EndpointForm } from './endpoint-form.tsx'

type Props = { endpoint: WebhookEndpoint | null; onClose: () => void }

export const EditEndpoint = ({ endpoint, onClose }: Props) => (
  <Dialog open={endpoint !== null} onOpenChange={onClose} title="Edit endpoint">
    {endpoint && <Edit endpoint={endpoint} onDone={onClose} />}
  </Dialog>
)

const Edit = ({ endpoint, onDone }: { endpoint: WebhookEndpoint; onDone: () => void }) => {
  const { program } = useProgram()
  const edit = useChange('patch /api/programs/{programId}/webhook-endpoints/{endpointId}', {
    programId: program.id,
    endpointId: endpoint.id,
  })
  const save = (values: CreateWebhookEndpoint) => {
    const body = changedFields(endpoint, values)
    if (Object.keys(body).length === 0) return onDone()
    edit.mutate(
      { body },
      {
        onSuccess: () => {
          onDone()
          toast.done('Endpoint saved.')
        },
      },
    )
  }
  return <EndpointForm endpoint={endpoint} submit="Save" busy={edit.isPending} error={edit.error} onSubmit={save} />
}

/** Sends nothing else: a role may not be allowed to set a field that it did not change. */
const changedFields = (endpoint: WebhookEndpoint, values: CreateWebhookEndpoint): Partial<CreateWebhookEndpoint> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(endpoint[name as keyof CreateWebhookEndpoint]),
    ),
  )
