import type { LinkRow } from '@tributary/contract'
import { Ban, CirclePlay } from 'lucide-react'
import { useState } from 'react'
import { useChangeLinks } from '~/api/links.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { formatCount } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { links: LinkRow[]; onDone: () => void }

/** Enables or disables the selected links. */
export const BulkLinkActions = ({ links, onDone }: Props) => {
  const { program } = useProgram()
  const change = useChangeLinks(program.id)
  const [isConfirming, setConfirming] = useState(false)
  const active = links.filter((link) => link.active).map(({ id }) => id)
  const inactive = links.filter((link) => !link.active).map(({ id }) => id)
  const done = (ids: number[], verb: string) => () => {
    toast.done(`${formatCount(ids.length, 'link')} ${verb}.`)
    onDone()
  }
  const enable = () =>
    change.mutate({ ids: inactive, active: true }, { onSuccess: done(inactive, 'enabled'), onError: toast.failed })
  const disable = () => change.mutate({ ids: active, active: false }, { onSuccess: done(active, 'disabled') })
  return (
    <>
      {inactive.length > 0 && (
        <Button size="small" busy={change.isPending && !isConfirming} onClick={enable}>
          <CirclePlay aria-hidden /> Enable {formatCount(inactive.length, 'link')}
        </Button>
      )}
      {active.length > 0 && (
        <Button size="small" onClick={() => setConfirming(true)}>
          <Ban aria-hidden /> Disable {formatCount(active.length, 'link')}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Disable ${formatCount(active.length, 'link')}?`}
        confirm={active.length === 1 ? 'Disable link' : 'Disable links'}
        danger
        busy={change.isPending}
        error={change.error}
        onConfirm={disable}
      >
        New clicks on {active.length === 1 ? 'this link' : 'these links'} will be rejected. Past commissions stay, and
        you can enable {active.length === 1 ? 'the link' : 'the links'} again.
      </ConfirmDialog>
    </>
  )
}
