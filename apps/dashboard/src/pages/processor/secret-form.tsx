import { useQueryClient } from '@tanstack/react-query'
import type { ProgramProcessor } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { isConnected } from './connection-text.ts'

type Props = {
  connection: ProgramProcessor
  label: string
  /** `nextWebhookSecret` is accepted beside the current one. */
  field?: 'webhookSecret' | 'nextWebhookSecret' | 'apiKey'
  /** Beside another way to connect, which has the primary button. */
  isAlternative?: boolean
  onSaved?: () => void
  onCancel?: () => void
}

/** Write-only: the secret is stored encrypted and never shown again. */
export const SecretForm = ({ connection, label, field = 'webhookSecret', isAlternative, onSaved, onCancel }: Props) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const { processor, setUp } = connection
  // To change the mode, disconnect: the other mode may be another account.
  const asksForMode = field === 'webhookSecret' && setUp.hasSandbox && !isConnected(connection)
  const place = { programId: program.id, processor }
  const connect = useChange('put /api/programs/{programId}/processors/{processor}', place, { changes: [] })
  const [saveCount, setSaveCount] = useState(0)
  const submit = (values: FormData) =>
    connect.mutate(
      { body: { [field]: formText(values, field), ...(asksForMode && { test: values.has('test') }) } },
      {
        onSuccess: () => {
          toast.done(saved(field === 'apiKey' ? 'API key' : setUp.secret.label)[field])
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
      <div className="flex items-start gap-2">
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
        {/* Beside the input: below the label, however long the error is. */}
        <div className="mt-6 flex gap-2">
          <Button type="submit" look={isAlternative ? 'secondary' : 'primary'} busy={connect.isPending}>
            {field === 'apiKey' && !isConnected(connection) ? 'Connect' : 'Save'}
          </Button>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </div>
      {asksForMode && (
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" name="test" />
          This is an endpoint of the sandbox or test mode: its payments count only as tests
        </label>
      )}
    </Form>
  )
}

const saved = (label: string) => ({
  webhookSecret: `${label} saved. The first signed event completes the connection.`,
  apiKey: `${label} saved.`,
  nextWebhookSecret: `New ${label.toLowerCase()} saved. The first event signed with it completes the rotation.`,
})
