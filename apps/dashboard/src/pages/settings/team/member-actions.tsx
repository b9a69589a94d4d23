import type { Member } from '@tributary/contract'
import { ROLES } from '@tributary/contract/names'
import { UserRoundMinus, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ROLE_TEXT } from './role-text.ts'

export const MemberActions = ({ member }: { member: Member }) => {
  const [openDialog, setOpenDialog] = useState<'role' | 'remove' | null>(null)
  const close = () => setOpenDialog(null)
  return (
    <>
      <RowMenu label={`Actions for ${member.name}`}>
        <MenuItem onSelect={() => setOpenDialog('role')}>
          <UserRoundPen aria-hidden /> Change role
        </MenuItem>
        <MenuItem danger onSelect={() => setOpenDialog('remove')}>
          <UserRoundMinus aria-hidden /> Remove
        </MenuItem>
      </RowMenu>
      <Dialog open={openDialog === 'role'} onOpenChange={close} title={`Change role of ${member.name}`}>
        <RoleForm member={member} onDone={close} />
      </Dialog>
      <RemoveMember member={member} open={openDialog === 'remove'} onClose={close} />
    </>
  )
}

const RoleForm = ({ member, onDone }: { member: Member; onDone: () => void }) => {
  const { workspace } = useProgram()
  const change = useChange('patch /api/workspaces/{workspaceId}/members/{memberId}', {
    workspaceId: workspace.id,
    memberId: member.id,
  })
  const submit = (values: FormData) => {
    const role = formText(values, 'role') as Member['role']
    change.mutate(
      { body: { role } },
      {
        onSuccess: () => {
          toast.done(`${member.name}’s role is now ${ROLE_TEXT[role].label.toLowerCase()}.`)
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
                {ROLE_TEXT[role].label}: {ROLE_TEXT[role].summary}
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
  const remove = useChange('delete /api/workspaces/{workspaceId}/members/{memberId}', {
    workspaceId: workspace.id,
    memberId: member.id,
  })
  const confirm = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          toast.done(`${member.name} removed.`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Remove ${member.name} from the team?`}
      confirm="Remove member"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
    >
      They lose access to every program in {workspace.name} immediately. Their actions stay in the audit log.
    </ConfirmDialog>
  )
}
