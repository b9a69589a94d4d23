import type { Partner } from '@tributary/contract'
import { Gift } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { MoneyInput, parseCents } from '~/components/controls/money-input.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'
import { MoneyPreview } from './money-preview.tsx'
import { ReasonField } from './reason-field.tsx'

/** Lets the member choose the partner. The command palette can open it too. */
export const AddBonusButton = () => {
  const [open, setOpen] = useCreateDialog()
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Gift aria-hidden /> Add bonus
      </Button>
      <AddBonus partner={null} open={open} onOpenChange={setOpen} />
    </>
  )
}

type DialogProps = {
  partner: Pick<Partner, 'id' | 'name'> | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

export const AddBonus = ({ partner, open, onOpenChange }: DialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={partner ? `Add a bonus for ${partner.name}` : 'Add a bonus'}
    description="Refunds don’t reduce a bonus. You can undo it later."
  >
    <BonusForm partner={partner} onDone={() => onOpenChange(false)} />
  </Dialog>
)

/** The API calls a bonus with a hold period a commission. */
const PAYABLE = { bonus: 'Immediately', commission: 'After the hold period' } as const

const BonusForm = ({ partner, onDone }: Pick<DialogProps, 'partner'> & { onDone: () => void }) => {
  const { program } = useProgram()
  const adjust = useChange('post /api/programs/{programId}/adjustments', { programId: program.id })
  const [type, setType] = useState<keyof typeof PAYABLE>('bonus')
  const [amount, setAmount] = useState('')
  const amountCents = parseCents(amount, program.currency) ?? 0
  const [chosen, setChosen] = useState<string>()
  const partnerId = partner?.id ?? (chosen ? Number(chosen) : null)
  const request = partnerId === null ? null : { type, partnerId, amountCents }
  const submit = (values: FormData) =>
    request &&
    adjust.mutate(
      { body: { ...request, reason: formText(values, 'reason') } },
      {
        onSuccess: ({ partnerName }) => {
          toast.done(`${formatMoney(amountCents, program.currency)} added for ${partnerName}.`)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {!partner && (
        <Field label="Partner" error={fieldError(adjust.error, 'partnerId')}>
          {({ id, 'aria-describedby': describedBy }) => (
            <PartnerPicker
              id={id}
              aria-describedby={describedBy}
              value={chosen}
              none="Choose a partner"
              onChange={setChosen}
            />
          )}
        </Field>
      )}
      <Field label="Amount" error={fieldError(adjust.error, 'amountCents')}>
        {(wiring) => (
          <MoneyInput
            {...wiring}
            currency={program.currency}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
            required
            autoFocus={partner !== null}
          />
        )}
      </Field>
      <Field label="Payable">
        {(wiring) => (
          <Select {...wiring} value={type} onChange={(event) => setType(event.target.value as keyof typeof PAYABLE)}>
            {Object.entries(PAYABLE).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ReasonField error={adjust.error} />
      <MoneyPreview request={request && amountCents > 0 ? { ...request, reason: '' } : null} />
      <FormError error={adjust.error} fields={['reason', 'amountCents', 'partnerId']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={adjust.isPending} disabled={!request}>
          Add bonus
        </Button>
      </div>
    </Form>
  )
}
