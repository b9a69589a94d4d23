import type { CommissionRow } from '@tributary/contract'
import { Ban, Check, type LucideIcon, X } from 'lucide-react'
import { useState } from 'react'
import { useBulk } from '~/api/bulk.ts'
import { call, type Input } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { formatCount } from '~/components/format/format.ts'
import { BulkProgress, showOutcome } from '~/components/lists/bulk-result.tsx'
import type { Selected } from '~/components/lists/selection.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { DECISION_TEXT } from './review-dialog.tsx'
import { isVoidable } from './void-dialog.tsx'

const BULK = 'post /api/programs/{programId}/commissions/bulk'
type ActionName = Input<typeof BULK>['body']['action']

type Action = {
  label: string
  icon: LucideIcon
  done: string
  one: string
  many: string
  hint: string
  danger: boolean
  appliesTo: (commission: { state: string }) => boolean
}

const isInReview = ({ state }: { state: string }) => state === 'review'

/** For a commission in review, rejecting does the same. */
const isVoidableHere = (commission: { state: string }) => isVoidable(commission) && !isInReview(commission)

const ACTIONS: Record<ActionName, Action> = {
  release: {
    label: 'Approve',
    icon: Check,
    done: 'approved',
    danger: false,
    appliesTo: isInReview,
    one: DECISION_TEXT.released.means,
    many: 'Commissions in review are added to the partners’ balances and become payable after the hold period.',
    hint: 'Recorded in the audit log.',
  },
  reject: {
    label: 'Reject',
    icon: X,
    done: 'rejected',
    danger: true,
    appliesTo: isInReview,
    one: DECISION_TEXT.rejected.means,
    many: 'The partners won’t be paid the commissions in review. The leads and sales stay on record. You can’t undo this.',
    hint: 'Recorded in the audit log.',
  },
  void: {
    label: 'Void',
    icon: Ban,
    done: 'voided',
    danger: true,
    appliesTo: isVoidableHere,
    one: 'Voiding cancels a commission that was already earned. The partner won’t be paid for it; if they already were, the next payout deducts it. You can undo this later.',
    many: 'Voiding cancels commissions that were already earned. The partners won’t be paid for them; if they already were, their next payouts deduct them. You can undo each later.',
    hint: 'The partner sees this reason.',
  },
}
const NAMES = Object.keys(ACTIONS) as ActionName[]

type Props = { selected: Selected<CommissionRow>; state: string | undefined; onDone: () => void }

/** Reviews or voids the selected commissions. */
export const BulkCommissions = ({ selected: { ids, rows }, state, onDone }: Props) => {
  const [action, setAction] = useState<ActionName | null>(null)
  // Commissions that were never on the screen can be in any state that the filter allows.
  const isOffered = ({ appliesTo }: Action) =>
    rows.some(appliesTo) || (rows.length < ids.length && (state ? appliesTo({ state }) : true))
  const close = () => setAction(null)
  return (
    <>
      {NAMES.filter((name) => isOffered(ACTIONS[name])).map((name) => {
        const { icon: Icon, label } = ACTIONS[name]
        return (
          <Button key={name} size="small" onClick={() => setAction(name)}>
            <Icon aria-hidden /> {label}
          </Button>
        )
      })}
      {action && (
        <Dialog
          open
          onOpenChange={close}
          title={`${ACTIONS[action].label} ${formatCount(ids.length, 'commission')}?`}
          description={ids.length === 1 ? ACTIONS[action].one : ACTIONS[action].many}
        >
          <BulkForm
            action={action}
            ids={ids}
            onCancel={close}
            onDone={() => {
              close()
              onDone()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

type FormProps = { action: ActionName; ids: number[]; onCancel: () => void; onDone: () => void }

const BulkForm = ({ action, ids, onCancel, onDone }: FormProps) => {
  const { program } = useProgram()
  const bulk = useBulk((ids, input: { action: ActionName; reason: string }) =>
    call(BULK, { programId: program.id, body: { ids, ...input } }),
  )
  const { label, done, hint, danger } = ACTIONS[action]
  // The changed rows may leave the list, and this component with them, before the callbacks of `mutate` would run.
  const submit = async (values: FormData) => {
    const input = { action, reason: formText(values, 'reason') }
    const outcome = await bulk.mutateAsync({ ids, input }).catch(() => null)
    // The form shows the error.
    if (!outcome) return
    showOutcome(outcome, { noun: 'commission', verb: done })
    onDone()
  }
  return (
    <Form onSubmit={(values) => void submit(values)} className="flex flex-col gap-4">
      <Field label="Reason" hint={hint} error={fieldError(bulk.error, 'reason')}>
        {(wiring) => <Textarea {...wiring} name="reason" minLength={3} maxLength={500} required autoFocus />}
      </Field>
      <BulkProgress progress={bulk.progress} noun="commission" />
      <FormError error={bulk.error} fields={['reason']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={bulk.isPending}>
          {label} {ids.length === 1 ? 'commission' : 'commissions'}
        </Button>
      </div>
    </Form>
  )
}
