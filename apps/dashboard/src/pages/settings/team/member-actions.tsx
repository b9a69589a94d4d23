import { ROLES } from '@tributary/contract/names'
import { UserRoundMinus, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { type Member, useChangeRole, useRemoveMember } from '~/api/accounts/members.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError, textOf } from '~/components/controls/form.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ROLE_WORDS } from './role-words.ts'

export const MemberActions = ({ member }: { member: Member }) => {
  const [asked, setAsked] = useState<'role' | 'remove' | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <RowMenu label={`Actions for ${member.name}`}>
        <MenuItem onSelect={() => setAsked('role')}>
          <UserRoundPen aria-hidden /> Change role
        </MenuItem>
        <MenuItem danger onSelect={() => setAsked('remove')}>
          <UserRoundMinus aria-hidden /> Remove
        </MenuItem>
      </RowMenu>
      <Dialog open={asked === 'role'} onOpenChange={close} title={`Change the role of ${member.name}`}>
        <RoleForm member={member} onDone={close} />
      </Dialog>
      <RemoveMember member={member} open={asked === 'remove'} onClose={close} />
    </>
  )
}

const RoleForm = ({ member, onDone }: { member: Member; onDone: () => void }) => {
  const { workspace } = useProgram()
  const change = useChangeRole(workspace.id)
  const submit = (values: FormData) => {
    const role = textOf(values, 'role') as Member['role']
    change.mutate(
      { memberId: member.id, role },
      {
        onSuccess: () => {
          toast.done(`${member.name} is ${ROLE_WORDS[role].label.toLowerCase()} now.`)
          onDone()
        },
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Role">
        {(wiring) => (
          <Select {...wiring} name="role" defaultValue={member.role}>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {ROLE_WORDS[role].label}: {ROLE_WORDS[role].may}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormError error={change.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={change.isPending}>
          Change role
        </Button>
      </div>
    </Form>
  )
}

const RemoveMember = ({ member, open, onClose }: { member: Member; open: boolean; onClose: () => void }) => {
  const { workspace } = useProgram()
  const remove = useRemoveMember(workspace.id)
  const confirm = () =>
    remove.mutate(member.id, {
      onSuccess: () => {
        toast.done(`${member.name} is no longer a member.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Remove ${member.name}?`}
      confirm="Remove member"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
    >
      They lose access to every program of {workspace.name} at once. What they did stays in the audit log.
    </ConfirmDialog>
  )
}
