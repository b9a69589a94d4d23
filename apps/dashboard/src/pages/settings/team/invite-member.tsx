import { type Invitation, useInvite } from '~/api/members.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Dialog } from '~/components/dialog.tsx'
import { Field, Input, Select } from '~/components/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/form.tsx'
import { formatDate } from '~/components/format.ts'
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
  if (invite.data) return <LinkToHandOver invitation={invite.data} onDone={onDone} />
  const submit = (values: FormData) =>
    invite.mutate({ email: textOf(values, 'email'), role: textOf(values, 'role') as (typeof INVITABLE)[number] })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <FormError error={invite.error} fields={['email', 'role']} />
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
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={invite.isPending}>
          Create invitation
        </Button>
      </div>
    </Form>
  )
}

const LinkToHandOver = ({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) => (
  <div className="flex flex-col gap-4">
    <p className="text-soft text-sm">
      Send this link to {invitation.email}. It makes them {ROLE_WORDS[invitation.role].label.toLowerCase()} and works
      until {formatDate(invitation.expiresAt)}.
    </p>
    <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
      <code data-testid="invitation" className="min-w-0 flex-1 break-all font-mono text-xs">
        {invitation.url}
      </code>
      <CopyButton text={invitation.url} label="Copy link" look="secondary" />
    </div>
    <div className="flex justify-end">
      <Button look="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
