import type { SavedView, ViewList } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import type { ListState } from './views-menu.tsx'

type Props = { list: ViewList; current: ListState; open: boolean; onOpenChange: (open: boolean) => void }

export const SaveView = ({ open, onOpenChange, ...rest }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Save view"
    description="Keeps the filters, sort order and columns you see now."
  >
    <ViewForm {...rest} onDone={() => onOpenChange(false)} />
  </Dialog>
)

const ViewForm = ({ list, current, onDone }: Pick<Props, 'list' | 'current'> & { onDone: () => void }) => {
  const { program, may } = useProgram()
  const save = useChange('post /api/programs/{programId}/views', { programId: program.id })
  const submit = (values: FormData) =>
    save.mutate(
      { body: { list, ...current, name: formText(values, 'name'), shared: values.get('shared') === 'on' } },
      {
        onSuccess: ({ name }) => {
          toast.done(`View “${name}” saved.`)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(save.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={60} required autoFocus />}
      </Field>
      {may('program:update') && (
        <Switch name="shared" label="Share with the team" hint="Everyone who can open this list can use it." />
      )}
      <FormError error={save.error} fields={['name']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          Save view
        </Button>
      </div>
    </Form>
  )
}

/** A shared view gets its new name for everyone. */
export const RenameView = ({ view, onClose }: { view: SavedView; onClose: () => void }) => {
  const { program, may } = useProgram()
  const change = useChange('patch /api/programs/{programId}/views/{viewId}', { programId: program.id, viewId: view.id })
  const submit = (values: FormData) =>
    change.mutate(
      {
        body: {
          name: formText(values, 'name'),
          ...(may('program:update') && view.own && { shared: values.get('shared') === 'on' }),
        },
      },
      {
        onSuccess: ({ name }) => {
          toast.done(`View “${name}” saved.`)
          onClose()
        },
      },
    )
  return (
    <Dialog open onOpenChange={onClose} title="Rename view" description="Its filters and columns stay as they are.">
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name" error={fieldError(change.error, 'name')}>
          {(wiring) => <Input {...wiring} name="name" defaultValue={view.name} maxLength={60} required autoFocus />}
        </Field>
        {may('program:update') && view.own && (
          <Switch
            name="shared"
            label="Share with the team"
            hint="Everyone who can open this list can use it."
            defaultChecked={view.shared}
          />
        )}
        <FormError error={change.error} fields={['name']} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            Rename view
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
