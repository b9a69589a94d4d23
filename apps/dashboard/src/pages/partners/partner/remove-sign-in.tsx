import { useState } from 'react'
import { type PartnerDetail, useRemoveSignIn } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

/** Revokes portal access, for example after an account takeover. */
export const RemoveSignIn = ({ partner }: { partner: PartnerDetail }) => {
  const { program } = useProgram()
  const remove = useRemoveSignIn(program.id, partner.id)
  const [isConfirming, setConfirming] = useState(false)
  const onSuccess = () => {
    setConfirming(false)
    toast.done(`Portal access removed for ${partner.name}.`)
  }
  return (
    <>
      <Button onClick={() => setConfirming(true)}>Remove portal access</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Remove portal access for ${partner.name}?`}
        confirm="Remove portal access"
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess })}
      >
        They can no longer sign in to the portal, and pending invitations stop working. Their links, commissions and
        payout details stay. You can invite them again.
      </ConfirmDialog>
    </>
  )
}
