import { useNavigate } from '@tanstack/react-router'
import type { Group } from '@tributary/contract'
import { Pencil, Percent, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useDeleteGroup } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import type { Opened } from './groups.tsx'

type Props = { group: Group; onOpen: (opened: Opened) => void }

/** The default group's terms are the program's, which have their own page. */
export const GroupActions = ({ group, onOpen }: Props) => {
  const { program } = useProgram()
  const remove = useDeleteGroup(program.id, group.id)
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const editTerms = () =>
    group.isDefault
      ? void navigate({ to: '/programs/$programId/settings/rewards', params: { programId: String(program.id) } })
      : onOpen({ view: 'terms', group })
  const confirm = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          setDeleting(false)
          toast.done(`Group “${group.name}” deleted.`)
        },
      },
    )
  return (
    <>
      <RowMenu label={`Actions for ${group.name}`}>
        <MenuItem onSelect={() => onOpen({ view: 'edit', group })}>
          <Pencil aria-hidden /> Edit group
        </MenuItem>
        <MenuItem onSelect={editTerms}>
          <Percent aria-hidden /> Edit reward terms
        </MenuItem>
        {!group.isDefault && (
          <MenuItem danger onSelect={() => setDeleting(true)}>
            <Trash2 aria-hidden /> Delete group
          </MenuItem>
        )}
      </RowMenu>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={`Delete the group “${group.name}”?`}
        confirm="Delete group"
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={confirm}
      >
        Only groups without partners can be deleted. Past commissions keep the terms of this group.
      </ConfirmDialog>
    </>
  )
}
