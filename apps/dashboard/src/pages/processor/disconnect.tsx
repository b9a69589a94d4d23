import { useQueryClient } from '@tanstack/react-query'
import type { ProgramProcessor } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

export const Disconnect = ({ connection }: { connection: ProgramProcessor }) => {
  const { processor, label, kind, setUp, managesEndpoint } = connection
  const { program } = useProgram()
  const queries = useQueryClient()
  const disconnect = useChange(
    'delete /api/programs/{programId}/processors/{processor}',
    { programId: program.id, processor },
    { changes: [] },
  )
  const [isConfirming, setConfirming] = useState(false)
  const onSuccess = () => {
    setConfirming(false)
    toast.done(`${label} disconnected.`)
    // Last, because it removes the button.
    void queries.invalidateQueries()
  }
  return (
    <>
      <Button className="w-fit" onClick={() => setConfirming(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Disconnect ${label}?`}
        confirm="Disconnect"
        danger
        busy={disconnect.isPending}
        error={disconnect.error}
        onConfirm={() => disconnect.mutate({}, { onSuccess })}
      >
        New payments, refunds and disputes from {label} will no longer be tracked. Recorded data stays.{' '}
        {kind === 'platform'
          ? `This service’s access to your ${label} account is revoked.`
          : managesEndpoint
            ? `The signing secret is deleted, and so is the endpoint in ${setUp.place}.`
            : `The signing secret is deleted. Remove the endpoint in ${setUp.place} too.`}
      </ConfirmDialog>
    </>
  )
}
