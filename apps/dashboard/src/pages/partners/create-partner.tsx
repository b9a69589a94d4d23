import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { GroupSelect } from '../groups/group-select.tsx'
import { warnIfTaken } from './partner/partner-code.tsx'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

export const CreatePartner = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Add partner">
    <PartnerForm onDone={() => onOpenChange(false)} />
  </Dialog>
)

const FIELDS = ['name', 'email', 'code', 'status', 'groupId']

const PartnerForm = ({ onDone }: { onDone: () => void }) => {
  const { program, may } = useProgram()
  const create = useChange('post /api/programs/{programId}/partners', { programId: program.id })
  const submit = (values: FormData) =>
    create.mutate(
      {
        body: {
          name: formText(values, 'name'),
          email: formText(values, 'email') || null,
          status: formText(values, 'status') as 'approved' | 'pending',
          ...(formText(values, 'code') && { code: formText(values, 'code') }),
          ...(formText(values, 'groupId') && { groupId: Number(formText(values, 'groupId')) }),
        },
      },
      {
        onSuccess: (partner) => {
          toast.done(`${partner.name} added.`)
          warnIfTaken(partner)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(create.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} placeholder="Maya Lindqvist" required autoFocus />}
      </Field>
      <Field label="Email" optional error={fieldError(create.error, 'email')}>
        {(wiring) => <Input {...wiring} name="email" type="email" placeholder="maya@example.com" />}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Default link code"
          optional
          hint="Letters, digits, hyphens or underscores. Generated if empty."
          error={fieldError(create.error, 'code')}
        >
          {(wiring) => <Input {...wiring} name="code" maxLength={32} placeholder="maya" />}
        </Field>
        <Field label="Status" error={fieldError(create.error, 'status')}>
          {(wiring) => (
            <Select {...wiring} name="status" defaultValue="approved">
              <option value="approved">Approved</option>
              <option value="pending">Pending</option>
            </Select>
          )}
        </Field>
      </div>
      {may('payout:manage') && <GroupSelect error={fieldError(create.error, 'groupId')} />}
      <FormError error={create.error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          Add partner
        </Button>
      </div>
    </Form>
  )
}
