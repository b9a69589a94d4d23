import type { AdjustmentType } from '@tributary/contract'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { ReasonField } from './reason-field.tsx'
import { describeUndo, undoHint, undoLabel } from './undo-text.ts'

type Undoable = { id: number; type: AdjustmentType; saleId: number | null }
type Props = { adjustment: Undoable; open: boolean; onClose: () => void }

export const UndoDialog = ({ adjustment, open, onClose }: Props) =>
  open && <OpenDialog adjustment={adjustment} onClose={onClose} />

const OpenDialog = ({ adjustment, onClose }: Omit<Props, 'open'>) => {
  const { program } = useProgram()
  const { id, type, saleId } = adjustment
  const isAssignment = type === 'credit' || type === 'move'
  const query = { saleId, pageSize: 200 }
  const ofSale = useCall(
    'get /api/programs/{programId}/adjustments',
    { programId: program.id, query },
    { enabled: isAssignment },
  )
  const assignments = ofSale.data?.data.filter((each) => each.type === 'credit' || each.type === 'move') ?? []
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${undoLabel(type).replace('Undo', 'Undo this')}?`}
      description={describeUndo(type, assignments, id)}
    >
      <UndoForm adjustment={adjustment} onDone={onClose} />
    </Dialog>
  )
}

const UndoForm = ({ adjustment, onDone }: { adjustment: Undoable; onDone: () => void }) => {
  const { program } = useProgram()
  const known = { programId: program.id, adjustmentId: adjustment.id }
  const undo = useChange('post /api/programs/{programId}/adjustments/{adjustmentId}/reverse', known)
  const submit = (values: FormData) =>
    undo.mutate(
      { body: { reason: formText(values, 'reason') } },
      {
        onSuccess: () => {
          toast.done('Adjustment undone.')
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <ReasonField error={undo.error} hint={undoHint(adjustment.type)} />
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
