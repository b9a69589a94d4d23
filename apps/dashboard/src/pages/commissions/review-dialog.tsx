import type { CommissionRow } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { reviewReasonsText } from './review-reasons.ts'

export type Decision = 'released' | 'rejected'

export const DECISION_TEXT = {
  released: {
    verb: 'Approve',
    done: 'approved',
    means: 'The commission is added to the partner’s balance and becomes payable after the hold period.',
  },
  rejected: {
    verb: 'Reject',
    done: 'rejected',
    means: 'The partner won’t be paid this commission. The lead or sale stays on record. You can’t undo this.',
  },
}

type Props = { commission: CommissionRow; decision: Decision | null; onClose: () => void }

/** The reason goes to the audit log. */
export const ReviewDialog = ({ commission, decision, onClose }: Props) => {
  if (!decision) return null
  const amount = netAmount(commission)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${DECISION_TEXT[decision].verb} ${amount} for ${commission.partnerName}?`}
      description={describeDecision(commission, decision)}
    >
      <ReviewForm commission={commission} decision={decision} onDone={onClose} />
    </Dialog>
  )
}

/** Approving the commission does not approve the partner. */
const describeDecision = ({ reviewReasons }: CommissionRow, decision: Decision) => {
  const { means } = DECISION_TEXT[decision]
  if (decision === 'rejected') return means
  if (reviewReasons.includes('partner_suspended'))
    return `${means} The partner is excluded from payouts until you reinstate them.`
  return reviewReasons.includes('customer_is_partner')
    ? `${means} Later sales of this customer that match in the same way aren’t reviewed.`
    : means
}

const netAmount = ({ amountCents, reversedCents, currency }: CommissionRow) =>
  formatMoney(amountCents - reversedCents, currency)

type FormProps = { commission: CommissionRow; decision: Decision; onDone: () => void }

const ReviewForm = ({ commission, decision, onDone }: FormProps) => {
  const { program } = useProgram()
  const known = { programId: program.id, commissionId: commission.id }
  const decide = useChange('post /api/programs/{programId}/commissions/{commissionId}/review', known)
  const { verb, done } = DECISION_TEXT[decision]
  const submit = (values: FormData) =>
    decide.mutate(
      { body: { decision, reason: formText(values, 'reason') } },
      {
        onSuccess: () => {
          toast.done(`Commission of ${netAmount(commission)} for ${commission.partnerName} ${done}.`)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {commission.reviewReasons.length > 0 && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
          In review because {reviewReasonsText(commission)}.
        </p>
      )}
      <Field label="Reason" hint="Recorded in the audit log." error={fieldError(decide.error, 'reason')}>
        {(wiring) => <Textarea {...wiring} name="reason" maxLength={500} required autoFocus />}
      </Field>
      <FormError error={decide.error} fields={['reason']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look={decision === 'rejected' ? 'danger' : 'primary'} busy={decide.isPending}>
          {verb} {netAmount(commission)}
        </Button>
      </div>
    </Form>
  )
}
