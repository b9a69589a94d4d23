import type { LinkRow } from '@tributary/contract'
import { Ban, CirclePlay } from 'lucide-react'
import { useState } from 'react'
import { resultOf, useBulk } from '~/api/bulk.ts'
import { call } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { formatCount } from '~/components/format/format.ts'
import { BulkProgress, showOutcome } from '~/components/lists/bulk-result.tsx'
import type { Selected } from '~/components/lists/selection.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { selected: Selected<LinkRow>; onDone: () => void }

/** Those the action changes; all of them if some were never on the screen. */
const toChange = ({ ids, rows }: Selected<LinkRow>, active: boolean) =>
  rows.length < ids.length ? ids : rows.filter((link) => link.active !== active).map(({ id }) => id)

/** Enables or disables the selected links. */
export const BulkLinkActions = ({ selected, onDone }: Props) => {
  const { program } = useProgram()
  const change = useBulk(async (ids, body: { active: boolean }) => {
    const input = { programId: program.id, body: { ids, ...body } }
    const { changed } = await call('patch /api/programs/{programId}/links', input)
    return resultOf({ asked: ids.length, done: changed, reason: `already ${body.active ? 'enabled' : 'disabled'}` })
  })
  const [isConfirming, setConfirming] = useState(false)
  const active = toChange(selected, false)
  const disabled = toChange(selected, true)
  const run = async (ids: number[], isActive: boolean) => {
    const outcome = await change.mutateAsync({ ids, input: { active: isActive } })
    showOutcome(outcome, { noun: 'link', verb: isActive ? 'enabled' : 'disabled' })
    setConfirming(false)
    onDone()
  }
  const count = formatCount(active.length, 'link')
  return (
    <>
      {disabled.length > 0 && (
        <Button
          size="small"
          busy={change.isPending && !isConfirming}
          onClick={() => void run(disabled, true).catch(toast.failed)}
        >
          <CirclePlay aria-hidden /> Enable {formatCount(disabled.length, 'link')}
        </Button>
      )}
      {active.length > 0 && (
        <Button size="small" onClick={() => setConfirming(true)}>
          <Ban aria-hidden /> Disable {count}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Disable ${count}?`}
        confirm={active.length === 1 ? 'Disable link' : 'Disable links'}
        danger
        busy={change.isPending}
        error={change.error}
        // The dialog shows the error.
        onConfirm={() => void run(active, false).catch(() => {})}
      >
        <div className="flex flex-col gap-4">
          <p>
            {active.length === 1 ? 'The link still opens' : 'The links still open'} your site, but new clicks are no
            longer tracked. Past commissions stay, and you can enable {active.length === 1 ? 'the link' : 'the links'}{' '}
            again.
          </p>
          <BulkProgress progress={change.progress} noun="link" />
        </div>
      </ConfirmDialog>
    </>
  )
}
