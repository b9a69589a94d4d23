import { useQueryClient } from '@tanstack/react-query'
import type { ProgramProcessor } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Part } from './processor-set-up.tsx'
import { SecretForm } from './secret-form.tsx'

type Props = { connection: ProgramProcessor }

/** Connects with a key that creates the endpoint, so that nothing has to be copied. */
export const ConnectWithKey = ({ connection }: Props) => {
  const { apiKey, place } = connection.setUp
  if (!apiKey) return null
  return (
    <Part title="Connect with an API key">
      <p className="text-pretty text-soft">
        Create a restricted key in {place} with these permissions: {apiKey.permissions.join(', ')}. Tributary creates
        the endpoint with all events and saves its signing secret.
      </p>
      <SecretForm connection={connection} label={apiKey.label} field="apiKey" />
    </Part>
  )
}

/** Offers to update an endpoint that was created here before newer event types were added. */
export const EndpointUpdate = ({ connection }: Props) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const { processor, eventTypes } = connection
  const place = { programId: program.id, processor }
  const update = useChange('put /api/programs/{programId}/processors/{processor}', place, { changes: [] })
  const missing = eventTypes.filter(({ subscribed }) => !subscribed)
  if (missing.length === 0) return null
  const save = () =>
    update.mutate(
      { body: {} },
      {
        onSuccess: () => {
          toast.done('Endpoint updated.')
          void queries.invalidateQueries()
        },
      },
    )
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn-ink">
      <p>The endpoint is not subscribed to {missing.map(({ type }) => type).join(', ')}.</p>
      <FormError error={update.error} />
      <Button className="w-fit" busy={update.isPending} onClick={save}>
        Update endpoint
      </Button>
    </div>
  )
}
