import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { describeHeld, releasable } from './hold-text.ts'

/** Whose commissions: of the whole program if both are missing. */
export type HoldScope = { partnerId?: number; groupId?: number }

export const useHolds = (scope: HoldScope = {}) => {
  const { program } = useProgram()
  return useCall('get /api/programs/{programId}/holds', { programId: program.id, query: scope })
}

type Props = {
  scope?: HoldScope
  /** "of all partners", "of Maya" */
  whose: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks before held commissions become payable now. */
export const ReleaseHolds = ({ scope = {}, whose, open, onOpenChange }: Props) => {
  const { program } = useProgram()
  const holds = useHolds(scope)
  const held = releasable(holds.data?.data ?? [])
  const release = useChange('post /api/programs/{programId}/holds/release', { programId: program.id })
  const confirm = () =>
    release.mutate(
      { body: scope },
      {
        onSuccess: ({ released }) => {
          toast.done(
            released.length > 0 ? `${describeHeld(released)} is payable now.` : 'There was nothing left to release.',
          )
          onOpenChange(false)
        },
      },
    )
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Release the held commissions ${whose}?`}
      confirm="Release commissions"
      busy={release.isPending}
      disabled={held.length === 0}
      error={release.error}
      onConfirm={confirm}
    >
      {held.length > 0 ? (
        <ul className="flex list-disc flex-col gap-1.5 pl-4">
          <li>{describeHeld(held)} becomes payable now, instead of at the end of the hold period.</li>
          <li>If a sale is refunded after you have paid, the amount is deducted from the partner’s next payout.</li>
          <li>Commissions in review or dispute wait for their decision, and bonuses keep their date.</li>
          <li>You can’t undo this.</li>
        </ul>
      ) : (
        'Nothing is held that can be released.'
      )}
    </ConfirmDialog>
  )
}
