import { useState } from 'react'
import { useConnectProcessor } from '~/api/processor.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { label?: string; onStored?: () => void }

/** The signing secret of the merchant's own endpoint. It is stored encrypted and never comes back. */
export const SecretForm = ({ label = 'Signing secret', onStored }: Props) => {
  const { program } = useProgram()
  const connect = useConnectProcessor(program.id)
  const [stored, setStored] = useState(0)
  const submit = (values: FormData) =>
    connect.mutate(
      { webhookSecret: textOf(values, 'webhookSecret') },
      {
        onSuccess: () => {
          toast.done('Stored. The first signed event completes the connection.')
          setStored((times) => times + 1)
          onStored?.()
        },
      },
    )
  // Stored once, the field is empty again: what was typed must not stay on the screen.
  return (
    <Form key={stored} onSubmit={submit} className="flex flex-col gap-2">
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
          Store
        </Button>
      </div>
    </Form>
  )
}
