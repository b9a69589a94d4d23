import type { AdjustmentType } from '@tributary/contract'
import { useUndoAdjustment } from '~/api/money/adjustments.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ReasonField } from './reason-field.tsx'

type Undoable = { id: number; type: AdjustmentType }
type Props = { adjustment: Undoable; open: boolean; onClose: () => void }

const TITLES: Record<AdjustmentType, string> = {
  bonus: 'Undo this bonus?',
  commission: 'Undo this commission?',
  void: 'Undo this void?',
  credit: 'Undo this credit?',
  move: 'Undo this move?',
}

const CONSEQUENCES: Record<AdjustmentType, string> = {
  bonus: 'The amount is taken back. If it was already paid, it is deducted from the next payout.',
  commission: 'The amount is taken back. If it was already paid, it is deducted from the next payout.',
  void: 'The partner earns the commission again, minus refunds since then.',
  credit: 'The commission is taken back, and the sale is credited as the clicks and leads say.',
  move: 'The new partner’s commission is taken back, and the sale returns to where it was before.',
}

export const undoLabel = (type: AdjustmentType) => TITLES[type].replace('this ', '').replace('?', '')

export const UndoDialog = ({ adjustment, open, onClose }: Props) => {
  if (!open) return null
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={TITLES[adjustment.type]}
      description={`${CONSEQUENCES[adjustment.type]} This can’t be undone, but you can adjust again.`}
    >
      <UndoForm adjustment={adjustment} onDone={onClose} />
    </Dialog>
  )
}

const UndoForm = ({ adjustment, onDone }: { adjustment: Undoable; onDone: () => void }) => {
  const { program } = useProgram()
  const undo = useUndoAdjustment(program.id)
  const submit = (values: FormData) =>
    undo.mutate(
      { id: adjustment.id, reason: formText(values, 'reason') },
      {
        onSuccess: () => {
          toast.done('Adjustment undone.')
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <ReasonField error={undo.error} />
      <FormError error={undo.error} fields={['reason']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="danger" busy={undo.isPending}>
          {undoLabel(adjustment.type)}
        </Button>
      </div>
    </Form>
  )
}
