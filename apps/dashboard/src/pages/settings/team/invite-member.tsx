import type { Invitation } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { InvitationLink } from '~/components/invitation-link.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { INVITABLE, ROLE_TEXT } from './role-text.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

export const InviteMember = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Invite member">
    <InviteForm onDone={() => onOpenChange(false)} />
  </Dialog>
)

const InviteForm = ({ onDone }: { onDone: () => void }) => {
  const { workspace } = useProgram()
  const invite = useChange('post /api/workspaces/{workspaceId}/invitations', { workspaceId: workspace.id })
  if (invite.data)
    return <InvitationLink invitation={invite.data} terms={describeInvitation(invite.data)} onDone={onDone} />
  const submit = (values: FormData) =>
    invite.mutate({
      body: { email: formText(values, 'email'), role: formText(values, 'role') as (typeof INVITABLE)[number] },
    })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Email" error={fieldError(invite.error, 'email')}>
        {(wiring) => <Input {...wiring} name="email" type="email" placeholder="sam@example.com" required autoFocus />}
      </Field>
      <Field label="Role" error={fieldError(invite.error, 'role')}>
        {(wiring) => (
          <Select {...wiring} name="role" defaultValue="member">
            {INVITABLE.map((role) => (
              <option key={role} value={role}>
                {ROLE_TEXT[role].label}: {ROLE_TEXT[role].summary}
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

const describeInvitation = ({ role, expiresAt }: Invitation) =>
  `They will join as ${ROLE_TEXT[role].label.toLowerCase()}. The link expires on ${formatDate(expiresAt)}.`
