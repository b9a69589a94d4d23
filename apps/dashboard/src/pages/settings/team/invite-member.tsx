import { type NewInvitation, useInvite } from '~/api/accounts/members.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { InvitationLink } from '~/components/invitation-link.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { INVITABLE, ROLE_WORDS } from './role-words.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

export const InviteMember = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Invite to the workspace">
    <InviteForm onDone={() => onOpenChange(false)} />
  </Dialog>
)

const InviteForm = ({ onDone }: { onDone: () => void }) => {
  const { workspace } = useProgram()
  const invite = useInvite(workspace.id)
  if (invite.data) return <InvitationLink invitation={invite.data} terms={termsOf(invite.data)} onDone={onDone} />
  const submit = (values: FormData) =>
    invite.mutate({ email: textOf(values, 'email'), role: textOf(values, 'role') as (typeof INVITABLE)[number] })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="E-mail" error={fieldError(invite.error, 'email')}>
        {(wiring) => <Input {...wiring} name="email" type="email" placeholder="sam@example.com" required autoFocus />}
      </Field>
      <Field label="Role" error={fieldError(invite.error, 'role')}>
        {(wiring) => (
          <Select {...wiring} name="role" defaultValue="member">
            {INVITABLE.map((role) => (
              <option key={role} value={role}>
                {ROLE_WORDS[role].label}: {ROLE_WORDS[role].may}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormError error={invite.error} fields={['email', 'role']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={invite.isPending}>
          Create invitation
        </Button>
      </div>
    </Form>
  )
}

const termsOf = ({ role, expiresAt }: NewInvitation) =>
  `It makes them ${ROLE_WORDS[role].label.toLowerCase()} and works until ${formatDate(expiresAt)}.`
