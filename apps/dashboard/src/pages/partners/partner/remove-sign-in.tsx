import { useState } from 'react'
import { type PartnerDetail, useRemoveSignIn } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

/** Ends the partner's access to the portal, for example when somebody else has got hold of it. */
export const RemoveSignIn = ({ partner }: { partner: PartnerDetail }) => {
  const { program } = useProgram()
  const remove = useRemoveSignIn(program.id, partner.id)
  const [isAsked, setAsked] = useState(false)
  const onSuccess = () => {
    setAsked(false)
    toast.done(`The sign-in of ${partner.name} is removed.`)
  }
  return (
    <>
      <Button onClick={() => setAsked(true)}>Remove sign-in</Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={`Remove the sign-in of ${partner.name}?`}
        confirm="Remove sign-in"
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess })}
      >
        They can no longer open the portal, and open invitations stop working. Their links, earnings and payout details
        stay. You can invite them again.
      </ConfirmDialog>
    </>
  )
}
