import type { PartnerDetail } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { partner: PartnerDetail; open: boolean; onOpenChange: (open: boolean) => void }

/** Revokes portal access, for example after an account takeover. */
export const RemoveSignIn = ({ partner, open, onOpenChange }: Props) => {
  const { program } = useProgram()
  const remove = useChange('delete /api/programs/{programId}/partners/{partnerId}/sign-in', {
    programId: program.id,
    partnerId: partner.id,
  })
  const onSuccess = () => {
    onOpenChange(false)
    toast.done(`Portal access removed for ${partner.name}.`)
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove portal access for ${partner.name}?`}
      confirm="Remove portal access"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({}, { onSuccess })}
    >
      They can no longer sign in to the portal, and pending invitations stop working. Their links, commissions and
      payout details stay. You can invite them again.
    </ConfirmDialog>
  )
}
