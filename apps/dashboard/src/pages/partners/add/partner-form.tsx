import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { GroupSelect } from '../../groups/group-select.tsx'
import { InviteSwitch } from './invite-switch.tsx'
import { LinkPreview } from './link-preview.tsx'
import { type Outcome, useAddPartners } from './use-add-partners.ts'

const FIELDS = ['name', 'email', 'code', 'groupId']

export const PartnerForm = ({ onAdded }: { onAdded: (outcome: Outcome) => void }) => {
  const { program, may } = useProgram()
  const add = useAddPartners(program.id)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const submit = (values: FormData) => {
    const groupId = Number(formText(values, 'groupId'))
    const partner = { name: name.trim(), email: email.trim() || null, ...(code.trim() && { code: code.trim() }) }
    const isInvited = formText(values, 'invite') === 'on'
    add.mutate({ partners: [partner], isInvited, ...(groupId > 0 && { groupId }) }, { onSuccess: onAdded })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(add.error, 'name')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={120}
            placeholder="Maya Lindqvist"
            required
            autoFocus
          />
        )}
      </Field>
      <Field label="Email" optional error={fieldError(add.error, 'email')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="email"
            type="email"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            placeholder="maya@example.com"
          />
        )}
      </Field>
      <Field
        label="Link code"
        optional
        hint="2–32 letters, digits, hyphens or underscores. Made from the name if empty."
        error={fieldError(add.error, 'code')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="code"
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            maxLength={32}
            placeholder="maya"
            autoComplete="off"
          />
        )}
      </Field>
      {may('payout:manage') && <GroupSelect error={fieldError(add.error, 'groupId')} />}
      <LinkPreview name={name} code={code.trim()} />
      <InviteSwitch canInvite={email.trim() !== ''} />
      <FormError error={add.error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={add.isPending}>
          Add partner
        </Button>
      </div>
    </Form>
  )
}
