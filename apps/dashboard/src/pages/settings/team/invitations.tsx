import { useState } from 'react'
import { type Invitation, useInvitations, useWithdrawInvitation } from '~/api/members.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/button.tsx'
import { ConfirmDialog } from '~/components/confirm-dialog.tsx'
import { CopyButton } from '~/components/copy.tsx'
import type { Column } from '~/components/data-table.tsx'
import { formatDate } from '~/components/format.ts'
import { ListCard } from '~/components/list-card.tsx'
import { toast } from '~/components/toast.tsx'
import { ROLE_WORDS } from './role-words.ts'

const PAGE_SIZE = 10

const COLUMNS: Column<Invitation>[] = [
  { header: 'Invited', cell: ({ email }) => <span className="font-medium">{email}</span> },
  { header: 'Role', cell: ({ role }) => ROLE_WORDS[role].label },
  {
    header: 'State',
    cell: ({ status }) =>
      status === 'pending' ? (
        <StateChip state="pending" />
      ) : (
        <Badge dot>{status.charAt(0).toUpperCase() + status.slice(1)}</Badge>
      ),
  },
  { header: 'Until', cell: ({ expiresAt }) => formatDate(expiresAt), align: 'right' },
]

/** Shown only where there are any: its own page is not in the address, for there are few. */
export const Invitations = () => {
  const { workspace } = useProgram()
  const [page, setPage] = useState(1)
  const invitations = useInvitations(workspace.id, { page, pageSize: PAGE_SIZE })
  if (invitations.data?.meta.pagination.total === 0) return null
  return (
    <ListCard
      label="Invitations"
      noun="invitations"
      query={invitations}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      onPage={setPage}
      filters={<h2 className="font-semibold text-base">Invitations</h2>}
      actions={(invitation) => invitation.status === 'pending' && <Actions invitation={invitation} />}
      empty={null}
    />
  )
}

const Actions = ({ invitation: { id, email, url } }: { invitation: Invitation }) => {
  const { workspace } = useProgram()
  const withdraw = useWithdrawInvitation(workspace.id)
  const [isAsking, setAsking] = useState(false)
  const confirm = () =>
    withdraw.mutate(id, {
      onSuccess: () => {
        setAsking(false)
        toast.done(`The invitation of ${email} is withdrawn.`)
      },
    })
  return (
    <span className="flex justify-end gap-1">
      <CopyButton text={url} label={`Copy the link for ${email}`} iconOnly />
      <Button
        look="quiet"
        size="small"
        aria-label={`Withdraw the invitation of ${email}`}
        onClick={() => setAsking(true)}
      >
        Withdraw
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Withdraw the invitation of ${email}?`}
        confirm="Withdraw invitation"
        danger
        busy={withdraw.isPending}
        error={withdraw.error}
        onConfirm={confirm}
      >
        The link no longer works. You can invite them again.
      </ConfirmDialog>
    </span>
  )
}
