import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { ShownOnce } from '~/components/shown-once.tsx'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Shows the key once; closing the dialog discards it. */
export const CreateKey = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Create API key">
    <KeyForm onDone={() => onOpenChange(false)} />
  </Dialog>
)

const KeyForm = ({ onDone }: { onDone: () => void }) => {
  const { program } = useProgram()
  // The answer has the whole key, this one time; nothing keeps it.
  const create = useChange('post /api/programs/{programId}/api-keys', { programId: program.id }, { gcTime: 0 })
  if (create.data)
    return (
      <ShownOnce secret={create.data.key} noun="key" onDone={onDone}>
        {KEY_ADVICE}
      </ShownOnce>
    )
  return (
    <Form
      onSubmit={(values) => create.mutate({ body: { name: formText(values, 'name') } })}
      className="flex flex-col gap-4"
    >
      <Field label="Name" hint="Where you will use the key." error={fieldError(create.error, 'name')}>
        {(wiring) => (
          <Input {...wiring} name="name" maxLength={120} placeholder="Production server" required autoFocus />
        )}
      </Field>
      <FormError error={create.error} fields={['name']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          Create key
        </Button>
      </div>
    </Form>
  )
}

export const KEY_ADVICE =
  'Store it on your server. Never put it in a web page, an app or a repository: it can report sales and read all events.'
