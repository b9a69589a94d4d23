import type { ProcessorConnection } from '@tributary/contract'
import { useState } from 'react'
import { useDisconnectProcessor } from '~/api/processor.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

export const Disconnect = ({ kind }: { kind: ProcessorConnection['kind'] }) => {
  const { program } = useProgram()
  const disconnect = useDisconnectProcessor(program.id)
  const [isAsked, setAsked] = useState(false)
  const onSuccess = () => {
    setAsked(false)
    toast.done('The processor is disconnected.')
  }
  return (
    <>
      <Button onClick={() => setAsked(true)}>Disconnect</Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Disconnect the processor?"
        confirm="Disconnect"
        danger
        busy={disconnect.isPending}
        error={disconnect.error}
        onConfirm={() => disconnect.mutate(undefined, { onSuccess })}
      >
        New payments, refunds and disputes are not heard of any more. What was recorded stays.{' '}
        {kind === 'own'
          ? 'The signing secret is forgotten; remove the endpoint in your Stripe dashboard too.'
          : 'Stripe is told that this service may no longer read the account.'}
      </ConfirmDialog>
    </>
  )
}
