import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { ShownOnce } from '~/components/shown-once.tsx'
import { EndpointForm } from './endpoint-form.tsx'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Shows the secret once; closing the dialog discards it. */
export const CreateEndpoint = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Add endpoint">
    <Create onDone={() => onOpenChange(false)} />
  </Dialog>
)

export const SECRET_ADVICE =
  'Your server checks the signature of each request with it. The code at the bottom of this page shows how.'

const Create = ({ onDone }: { onDone: () => void }) => {
  const { program } = useProgram()
  const create = useChange('post /api/programs/{programId}/webhook-endpoints', { programId: program.id }, { gcTime: 0 })
  if (create.data)
    return (
      <ShownOnce secret={create.data.secret} noun="secret" onDone={onDone}>
        {SECRET_ADVICE}
      </ShownOnce>
    )
  return (
    <EndpointForm
      submit="Add endpoint"
      busy={create.isPending}
      error={create.error}
      onSubmit={(body) => create.mutate({ body })}
    />
  )
}
