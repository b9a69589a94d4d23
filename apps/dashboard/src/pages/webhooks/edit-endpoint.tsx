import type { CreateWebhookEndpoint, WebhookEndpoint } from '@tributary/contract'
import { useChangeEndpoint } from '~/api/webhooks.ts'
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
  const edit = useChangeEndpoint(program.id)
  const save = (values: CreateWebhookEndpoint) => {
    const change = changedFields(endpoint, values)
    if (Object.keys(change).length === 0) return onDone()
    edit.mutate(
      { id: endpoint.id, change },
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
