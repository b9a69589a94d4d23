import { TriangleAlert } from 'lucide-react'
import { useCreateApiKey } from '~/api/api-keys.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Shows the key once; closing the dialog discards it. */
export const CreateKey = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Create API key">
    <KeyForm onDone={() => onOpenChange(false)} />
  </Dialog>
)

const KeyForm = ({ onDone }: { onDone: () => void }) => {
  const { program } = useProgram()
  const create = useCreateApiKey(program.id)
  if (create.data) return <ShownOnce secret={create.data.key} onDone={onDone} />
  return (
    <Form onSubmit={(values) => create.mutate({ name: formText(values, 'name') })} className="flex flex-col gap-4">
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

export const ShownOnce = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <div data-shown-once className="flex flex-col gap-4">
    <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      Copy this key now. You won’t be able to see it again.
    </p>
    <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
      <code data-testid="secret" className="min-w-0 flex-1 break-all font-mono text-xs">
        {secret}
      </code>
      <CopyButton text={secret} label="Copy key" look="secondary" />
    </div>
    <p className="text-soft text-sm">Store it on your server. Never put it in a web page, an app or a repository.</p>
    <div className="flex justify-end">
      <Button look="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
