import type { ApiKey } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { formatAgo } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

export const RevokeKey = ({ apiKey: { id, name, lastUsedAt } }: { apiKey: ApiKey }) => {
  const { program } = useProgram()
  const [isConfirming, setConfirming] = useState(false)
  const onSuccess = () => {
    setConfirming(false)
    toast.done(`${name} revoked.`)
  }
  const known = { programId: program.id, keyId: id }
  const revoke = useChange('delete /api/programs/{programId}/api-keys/{keyId}', known, { onSuccess })
  const confirm = () => revoke.mutate({})
  return (
    <>
      <Button look="quiet" size="small" aria-label={`Revoke ${name}`} onClick={() => setConfirming(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Revoke the key “${name}”?`}
        confirm="Revoke key"
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={confirm}
      >
        Requests with this key will be rejected within seconds. This can’t be undone.
        {lastUsedAt && ` It was last used ${formatAgo(lastUsedAt)}.`}
      </ConfirmDialog>
    </>
  )
}
