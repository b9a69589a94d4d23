import { useRequestCode } from '~/api/portal.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { usePartnership } from './portal-context.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

export const RequestCode = ({ open, onOpenChange }: Props) => {
  const { programName } = usePartnership()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Ask for a code"
      description={`It counts once ${programName} has approved it.`}
    >
      <RequestForm onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

const RequestForm = ({ onDone }: { onDone: () => void }) => {
  const { programId, programName } = usePartnership()
  const request = useRequestCode(programId)
  const submit = (values: FormData) =>
    request.mutate(
      { body: { code: formText(values, 'code') } },
      {
        onSuccess: ({ code }) => {
          onDone()
          toast.done(`You requested ${code}. ${programName} decides.`)
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Code"
        hint="What your audience enters when they pay. Capital and small letters are the same."
        error={fieldError(request.error, 'code')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="code"
            className="font-mono"
            maxLength={64}
            placeholder="SAM20"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
          />
        )}
      </Field>
      <FormError error={request.error} fields={['code']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={request.isPending}>
          Ask for code
        </Button>
      </div>
    </Form>
  )
}
