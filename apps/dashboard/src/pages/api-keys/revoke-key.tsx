import type { ApiKey } from '@tributary/contract'
import { useState } from 'react'
import { useRevokeApiKey } from '~/api/api-keys.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { formatAgo } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

export const RevokeKey = ({ apiKey: { id, name, lastUsedAt } }: { apiKey: ApiKey }) => {
  const { program } = useProgram()
  const revoke = useRevokeApiKey(program.id)
  const [isAsking, setAsking] = useState(false)
  const confirm = () =>
    revoke.mutate(id, {
      onSuccess: () => {
        setAsking(false)
        toast.done(`${name} was revoked.`)
      },
    })
  return (
    <>
      <Button look="quiet" size="small" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Revoke ${name}?`}
        confirm="Revoke key"
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={confirm}
      >
        Calls with this key are refused within seconds, for good.
        {lastUsedAt && ` It was last used ${formatAgo(lastUsedAt)}.`}
      </ConfirmDialog>
    </>
  )
}
