import type { CustomerDetail } from '@tributary/contract'
import { UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { useEraseCustomer } from '~/api/customers.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

/** For erasure requests under privacy law. */
export const EraseCustomer = ({ customer: { id, customerKey } }: { customer: CustomerDetail }) => {
  const { program } = useProgram()
  const erase = useEraseCustomer(program.id)
  const [isConfirming, setConfirming] = useState(false)
  const confirm = () =>
    erase.mutate(id, {
      onSuccess: () => {
        setConfirming(false)
        toast.done('Personal data erased.')
      },
    })
  return (
    <>
      <Button look="quiet" onClick={() => setConfirming(true)}>
        <UserRoundX aria-hidden /> Erase personal data
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Erase personal data of ${customerKey ?? 'this visitor'}?`}
        confirm="Erase personal data"
        danger
        busy={erase.isPending}
        error={erase.error}
        onConfirm={confirm}
      >
        <p>
          This removes the customer key, email address, browser and page data, sale metadata, and the customer’s details
          in payment processor events.
        </p>
        <p className="mt-2">Clicks, leads, sales and commissions stay, with their dates and amounts.</p>
        <p className="mt-2 font-medium text-ink">This can’t be undone.</p>
      </ConfirmDialog>
    </>
  )
}
