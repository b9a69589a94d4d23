import { UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { type CustomerDetail, useEraseCustomer } from '~/api/customers.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

/** What a customer may ask of the merchant by law. */
export const EraseCustomer = ({ customer: { id, customerKey } }: { customer: CustomerDetail }) => {
  const { program } = useProgram()
  const erase = useEraseCustomer(program.id)
  const [isAsking, setAsking] = useState(false)
  const confirm = () =>
    erase.mutate(id, {
      onSuccess: () => {
        setAsking(false)
        toast.done('The personal data is erased.')
      },
    })
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        <UserRoundX aria-hidden /> Erase personal data
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Erase the personal data of ${customerKey ?? 'this visitor'}?`}
        confirm="Erase for good"
        danger
        busy={erase.isPending}
        error={erase.error}
        onConfirm={confirm}
      >
        <p>
          Gone for good: the customer key, the e-mail address, what their browser and pages told, the metadata of their
          sales, and their name in what the payment processor sent.
        </p>
        <p className="mt-2">
          Stays: that there was a click, a sign-up and a sale, when and for how much, and what was earned for it.
        </p>
        <p className="mt-2 font-medium text-ink">This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
