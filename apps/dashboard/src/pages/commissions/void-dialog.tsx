import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Voidable = { id: number; amountCents: number; reversedCents: number; currency: string; state: string }
type Props = { commission: Voidable; open: boolean; onClose: () => void }

const netAmount = ({ amountCents, reversedCents, currency }: Voidable) =>
  formatMoney(amountCents - reversedCents, currency)

export const isVoidable = ({ state }: { state: string }) => state !== 'reversed'

/** The partner sees the reason too. */
export const VoidDialog = ({ commission, open, onClose }: Props) => {
  if (!open) return null
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Void this ${netAmount(commission)} commission?`}
      description={
        commission.state === 'paid'
          ? 'Voiding cancels a commission. It was already paid, so the next payout deducts the amount. You can undo this later.'
          : 'Voiding cancels a commission that was already earned. The partner won’t be paid for it. You can undo this later.'
      }
    >
      <VoidForm commission={commission} onDone={onClose} />
    </Dialog>
  )
}

const VoidForm = ({ commission, onDone }: { commission: Voidable; onDone: () => void }) => {
  const { program } = useProgram()
  const known = { programId: program.id, commissionId: commission.id }
  const voiding = useChange('post /api/programs/{programId}/commissions/{commissionId}/void', known)
  const submit = (values: FormData) =>
    voiding.mutate(
      { body: { reason: formText(values, 'reason') } },
      {
        onSuccess: () => {
          toast.done(`Commission ${commission.id} voided.`)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Reason" hint="The partner sees this reason." error={fieldError(voiding.error, 'reason')}>
        {(wiring) => <Textarea {...wiring} name="reason" minLength={3} maxLength={500} required autoFocus />}
      </Field>
      <FormError error={voiding.error} fields={['reason']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="danger" busy={voiding.isPending}>
          Void commission
        </Button>
      </div>
    </Form>
  )
}
