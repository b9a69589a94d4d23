import type { CommissionRow } from '@tributary/contract'
import { useDecideReview } from '~/api/money/commissions.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { reviewReasonsText } from './review-reasons.ts'

export type Decision = 'released' | 'rejected'

const WORDS = {
  released: {
    verb: 'Approve',
    done: 'approved',
    means: 'It joins their balance and becomes payable when its hold ends.',
  },
  rejected: { verb: 'Reject', done: 'rejected', means: 'It is taken back for good. The sale itself stays.' },
}

type Props = { commission: CommissionRow; decision: Decision | null; onClose: () => void }

/** Asks for the reason, which stays in the audit log, and says how much it is about. */
export const ReviewDialog = ({ commission, decision, onClose }: Props) => {
  if (!decision) return null
  const sum = sumOf(commission)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${WORDS[decision].verb} ${sum} for ${commission.partnerName}?`}
      description={meaningOf(commission, decision)}
    >
      <ReviewForm commission={commission} decision={decision} onDone={onClose} />
    </Dialog>
  )
}

/** Approving the commission does not approve the partner. */
const meaningOf = ({ reviewReasons }: CommissionRow, decision: Decision) =>
  decision === 'released' && reviewReasons.includes('partner_suspended')
    ? `${WORDS.released.means} The partner stays out of payouts until you approve them again.`
    : WORDS[decision].means

const sumOf = ({ amountCents, reversedCents, currency }: CommissionRow) =>
  formatMoney(amountCents - reversedCents, currency)

type FormProps = { commission: CommissionRow; decision: Decision; onDone: () => void }

const ReviewForm = ({ commission, decision, onDone }: FormProps) => {
  const { program } = useProgram()
  const decide = useDecideReview(program.id)
  const { verb, done } = WORDS[decision]
  const submit = (values: FormData) =>
    decide.mutate(
      { id: commission.id, decision, reason: textOf(values, 'reason') },
      {
        onSuccess: () => {
          toast.done(`${sumOf(commission)} for ${commission.partnerName} was ${done}.`)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {commission.reviewReasons.length > 0 && (
        <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
          Held because: {reviewReasonsText(commission.reviewReasons)}.
        </p>
      )}
      <Field label="Reason" hint="For the audit log." error={fieldError(decide.error, 'reason')}>
        {(wiring) => <Textarea {...wiring} name="reason" maxLength={500} required autoFocus />}
      </Field>
      <FormError error={decide.error} fields={['reason']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look={decision === 'rejected' ? 'danger' : 'primary'} busy={decide.isPending}>
          {verb} {sumOf(commission)}
        </Button>
      </div>
    </Form>
  )
}
