import { useQueryClient } from '@tanstack/react-query'
import type { ProcessorConnection } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

export const Disconnect = ({ kind }: { kind: ProcessorConnection['kind'] }) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const disconnect = useChange('delete /api/programs/{programId}/processor', { programId: program.id }, { changes: [] })
  const [isConfirming, setConfirming] = useState(false)
  const onSuccess = () => {
    setConfirming(false)
    toast.done('Payment processor disconnected.')
    // Last, because it removes the button.
    void queries.invalidateQueries()
  }
  return (
    <>
      <Button onClick={() => setConfirming(true)}>Disconnect</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Disconnect payment processor?"
        confirm="Disconnect"
        danger
        busy={disconnect.isPending}
        error={disconnect.error}
        onConfirm={() => disconnect.mutate({}, { onSuccess })}
      >
        New payments, refunds and disputes will no longer be tracked. Recorded data stays.{' '}
        {kind === 'own'
          ? 'The signing secret is deleted. Remove the endpoint in your Stripe dashboard too.'
          : 'This service’s access to your Stripe account is revoked.'}
      </ConfirmDialog>
    </>
  )
}
