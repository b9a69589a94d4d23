import type { Partner } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { partner: Partner; open: boolean; onOpenChange: (open: boolean) => void }

export const ArchivePartner = ({ partner, open, onOpenChange }: Props) => {
  const { program } = useProgram()
  const change = useChange('patch /api/programs/{programId}/partners/{partnerId}', {
    programId: program.id,
    partnerId: partner.id,
  })
  const archive = () =>
    change.mutate(
      { body: { archived: true } },
      {
        onSuccess: () => {
          onOpenChange(false)
          toast.done(`${partner.name} archived.`)
        },
      },
    )
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Archive ${partner.name}?`}
      confirm="Archive partner"
      danger
      busy={change.isPending}
      error={change.error}
      onConfirm={archive}
    >
      They disappear from the partner list. Their links still open your site, but new clicks are no longer tracked.
      Their balance is still paid out. You can unarchive them at any time.
    </ConfirmDialog>
  )
}

export const useUnarchive = (partner: Partner) => {
  const { program } = useProgram()
  const change = useChange('patch /api/programs/{programId}/partners/{partnerId}', {
    programId: program.id,
    partnerId: partner.id,
  })
  // Not `mutate`: its callbacks are dropped when the row leaves the list.
  return () =>
    change
      .mutateAsync({ body: { archived: false } })
      .then(() => toast.done(`${partner.name} unarchived.`), toast.failed)
}
