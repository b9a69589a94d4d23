import type { Resource } from '@tributary/contract'
import { MAX_RESOURCE_TEXT_LENGTH, MAX_TITLE_LENGTH } from '@tributary/contract/branding-limits'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

const LIST = '/api/programs/{programId}/resources'

type Props = { resource: Resource | null; open: boolean; onClose: () => void }

/** A new text, or a change of a resource. A file has only a title to change. */
export const EditResource = ({ resource, open, onClose }: Props) => {
  const { program } = useProgram()
  const add = useChange(`post ${LIST}/texts`, { programId: program.id })
  const change = useChange(`patch ${LIST}/{resourceId}`, { programId: program.id, resourceId: resource?.id ?? 0 })
  const save = resource ? change : add
  const isFile = resource?.kind === 'file'
  const submit = (values: FormData) => {
    const [title, body] = [formText(values, 'title'), formText(values, 'body')]
    const onSuccess = () => {
      toast.done(resource ? 'Resource saved.' : 'Text added.')
      onClose()
    }
    if (resource) change.mutate({ body: { title, ...(!isFile && { body }) } }, { onSuccess })
    else add.mutate({ body: { title, body } }, { onSuccess })
  }
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onClose()} title={resource ? 'Edit resource' : 'Add text'}>
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Title" error={fieldError(save.error, 'title')}>
          {(wiring) => (
            <Input {...wiring} name="title" maxLength={MAX_TITLE_LENGTH} defaultValue={resource?.title} required />
          )}
        </Field>
        {!isFile && (
          <Field
            label="Text"
            hint="Use {link} and {code} where the partner’s own link and code should appear."
            error={fieldError(save.error, 'body')}
          >
            {(wiring) => (
              <Textarea
                {...wiring}
                name="body"
                className="min-h-40"
                maxLength={MAX_RESOURCE_TEXT_LENGTH}
                defaultValue={resource?.body ?? ''}
                required
              />
            )}
          </Field>
        )}
        <FormError error={save.error} fields={['title', 'body']} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {resource ? 'Save' : 'Add text'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
