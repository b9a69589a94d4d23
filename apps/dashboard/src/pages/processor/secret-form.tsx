import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { label?: string; onSaved?: () => void }

/** Write-only: the secret is stored encrypted and never shown again. */
export const SecretForm = ({ label = 'Signing secret', onSaved }: Props) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const connect = useChange('put /api/programs/{programId}/processor', { programId: program.id }, { changes: [] })
  const [saveCount, setSaveCount] = useState(0)
  const submit = (values: FormData) =>
    connect.mutate(
      { body: { webhookSecret: formText(values, 'webhookSecret') } },
      {
        onSuccess: () => {
          toast.done('Signing secret saved. The first signed event completes the connection.')
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
      <FormError error={connect.error} fields={['webhookSecret']} />
      <div className="flex items-end gap-2">
        <div className="min-w-0 max-w-md flex-1">
          <Field label={label} error={fieldError(connect.error, 'webhookSecret')}>
            {(wiring) => (
              <Input
                {...wiring}
                name="webhookSecret"
                type="password"
                placeholder="whsec_…"
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
    </Form>
  )
}
