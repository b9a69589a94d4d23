import { keepPreviousData } from '@tanstack/react-query'
import type { Invitation } from '@tributary/contract'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { formatDate } from '~/components/format/format.ts'
import { codeLabel } from '~/components/format/labels.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ROLE_TEXT } from './role-text.ts'
import type { TeamSearch } from './team.tsx'

const PAGE_SIZE = 10

type Props = { search: TeamSearch; onChange: (change: Partial<TeamSearch>) => void }

const COLUMNS: Column<Invitation>[] = [
  { header: 'Email', cell: ({ email }) => <span className="font-medium">{email}</span>, sort: 'email' },
  { header: 'Role', cell: ({ role }) => ROLE_TEXT[role].label },
  { header: 'Status', cell: ({ status }) => <Status status={status} /> },
  { header: 'Expires', cell: ({ expiresAt }) => formatDate(expiresAt), align: 'right', sort: 'expiresAt' },
]

const ON_PHONE: PhoneRow<Invitation> = {
  name: ({ email }) => email,
  status: ({ status, role }) => (
    <>
      <Status status={status} /> <span className="truncate">{ROLE_TEXT[role].label}</span>
    </>
  ),
  date: ({ expiresAt }) => `Until ${formatDate(expiresAt)}`,
}

/** Hidden if empty. Its page and sort order use their own URL parameters. */
export const Invitations = ({ search, onChange }: Props) => {
  const { workspace } = useProgram()
  const { invitationsPage: page, invitationsSort: sort } = search
  const invitations = useCall(
    'get /api/workspaces/{workspaceId}/invitations',
    { workspaceId: workspace.id, query: { page, sort, pageSize: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  )
  if (invitations.data?.meta.pagination.total === 0) return null
  return (
    <ListCard
      title="Invitations"
      label="Invitations"
      noun="invitations"
      query={invitations}
      columns={COLUMNS}
      phone={ON_PHONE}
      keyOf={({ id }) => id}
      onPage={(next) => onChange({ invitationsPage: next > 1 ? String(next) : undefined })}
      sorting={{
        sort: sort ?? '-createdAt',
        onSort: (next) => onChange({ invitationsSort: next, invitationsPage: undefined }),
      }}
      actions={(invitation) => invitation.status === 'pending' && <Actions invitation={invitation} />}
      empty={null}
    />
  )
}

const Status = ({ status }: Pick<Invitation, 'status'>) =>
  status === 'pending' ? <StateChip state="pending" /> : <Badge dot>{codeLabel(status)}</Badge>

const Actions = ({ invitation: { id, email, url } }: { invitation: Invitation }) => {
  const { workspace } = useProgram()
  const [isConfirming, setConfirming] = useState(false)
  const onSuccess = () => {
    setConfirming(false)
    toast.done(`Invitation for ${email} withdrawn.`)
  }
  const known = { workspaceId: workspace.id, invitationId: id }
  const withdraw = useChange('delete /api/workspaces/{workspaceId}/invitations/{invitationId}', known, { onSuccess })
  const confirm = () => withdraw.mutate({})
  return (
    <span className="flex items-center justify-end gap-1">
      <CopyButton text={url} label={`Copy link for ${email}`} iconOnly />
      <Button
        look="quiet"
        size="small"
        aria-label={`Withdraw invitation for ${email}`}
        onClick={() => setConfirming(true)}
      >
        Withdraw
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Withdraw invitation for ${email}?`}
        confirm="Withdraw invitation"
        danger
        busy={withdraw.isPending}
        error={withdraw.error}
        onConfirm={confirm}
      >
        The link stops working. You can invite them again.
      </ConfirmDialog>
    </span>
  )
}
