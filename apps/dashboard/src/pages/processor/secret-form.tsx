import { useQueryClient } from '@tanstack/react-query'
import type { ProgramProcessor } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = {
  connection: ProgramProcessor
  label: string
  /** `nextWebhookSecret` is accepted beside the current one. */
  field?: 'webhookSecret' | 'nextWebhookSecret' | 'apiKey'
  onSaved?: () => void
}

/** Write-only: the secret is stored encrypted and never shown again. */
export const SecretForm = ({ connection, label, field = 'webhookSecret', onSaved }: Props) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const { processor, setUp } = connection
  const asksForMode = field === 'webhookSecret' && setUp.hasSandbox
  const place = { programId: program.id, processor }
  const connect = useChange('put /api/programs/{programId}/processors/{processor}', place, { changes: [] })
  const [saveCount, setSaveCount] = useState(0)
  const submit = (values: FormData) =>
    connect.mutate(
      { body: { [field]: formText(values, field), ...(asksForMode && { test: values.has('test') }) } },
      {
        onSuccess: () => {
          toast.done(SAVED[field])
          setSaveCount((count) => count + 1)
          onSaved?.()
          // Last, because it may remove the form.
          void queries.invalidateQueries()
        },
      },
    )
  // A new key empties the form after saving, so the secret does not stay on screen.
  return (
    <Form key={saveCount} onSubmit={submit} className="flex flex-col gap-2">
      <FormError error={connect.error} fields={[field]} />
      <div className="flex items-end gap-2">
        <div className="min-w-0 max-w-md flex-1">
          <Field label={label} error={fieldError(connect.error, field)}>
            {(wiring) => (
              <Input
                {...wiring}
                name={field}
                type="password"
                placeholder={field === 'apiKey' ? setUp.apiKey?.placeholder : setUp.secret.placeholder}
                autoComplete="off"
                required
              />
            )}
          </Field>
        </div>
        <Button type="submit" look="primary" busy={connect.isPending} className={connect.error ? 'mb-5.5' : undefined}>
          Save
        </Button>
      </div>
      {asksForMode && (
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" name="test" defaultChecked={connection.test} />
          This endpoint belongs to the sandbox: its events are tests
        </label>
      )}
    </Form>
  )
}

const SAVED = {
  webhookSecret: 'Signing secret saved. The first signed event completes the connection.',
  apiKey: 'API key saved.',
  nextWebhookSecret: 'Next signing secret saved. The first event signed with it completes the rotation.',
}
