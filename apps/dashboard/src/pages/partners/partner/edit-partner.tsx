import type { Partner } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { warnIfTaken } from './link-code.ts'

type Props = { partner: Partner; open: boolean; onOpenChange: (open: boolean) => void }

export const EditPartner = ({ partner, open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={`Edit partner ${partner.name}`}>
    <EditForm partner={partner} onDone={() => onOpenChange(false)} />
  </Dialog>
)

const FIELDS = ['name', 'email', 'code']
const NO_EMAIL_CHANGE = 'Only an owner or admin can change this, because payouts depend on it.'

/** Sends only changed fields, so concurrent edits by another member are kept. */
const readChanges = (values: FormData, partner: Partner) => {
  const typed = {
    name: formText(values, 'name'),
    email: formText(values, 'email') || null,
    code: formText(values, 'code'),
  }
  return {
    ...(typed.name !== partner.name && { name: typed.name }),
    ...(values.has('email') && typed.email !== partner.email && { email: typed.email }),
    ...(typed.code !== partner.code && { code: typed.code }),
  }
}

const EditForm = ({ partner, onDone }: { partner: Partner; onDone: () => void }) => {
  const { program, may } = useProgram()
  const change = useChange('patch /api/programs/{programId}/partners/{partnerId}', {
    programId: program.id,
    partnerId: partner.id,
  })
  const mayChangeEmail = may('payout:manage')
  const submit = (values: FormData) => {
    const changes = readChanges(values, partner)
    change.mutate(
      { body: changes },
      {
        onSuccess: (saved) => {
          toast.done(`${saved.name} saved.`)
          if (changes.code !== undefined) warnIfTaken(saved)
          onDone()
        },
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(change.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} defaultValue={partner.name} required autoFocus />}
      </Field>
      <Field
        label="Email"
        optional={mayChangeEmail}
        hint={mayChangeEmail ? 'Must be unique within the program.' : NO_EMAIL_CHANGE}
        error={fieldError(change.error, 'email')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            {...(mayChangeEmail ? { name: 'email' } : { readOnly: true })}
            type="email"
            defaultValue={partner.email ?? ''}
          />
        )}
      </Field>
      <Field
        label="Link code"
        hint="A new code gets a link of its own. The old one keeps working."
        error={fieldError(change.error, 'code')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="code"
            maxLength={32}
            pattern="[A-Za-z0-9_\-]{2,32}"
            title="2–32 letters, digits, hyphens or underscores"
            defaultValue={partner.code}
            required
          />
        )}
      </Field>
      <FormError error={change.error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={change.isPending}>
          Save partner
        </Button>
      </div>
    </Form>
  )
}
