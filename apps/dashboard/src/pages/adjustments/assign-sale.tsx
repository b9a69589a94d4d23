import type { SaleDetail } from '@tributary/contract'
import { ArrowRightLeft, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'
import { MoneyPreview } from './money-preview.tsx'
import { ReasonField } from './reason-field.tsx'

const TEXTS = {
  credit: {
    action: 'Credit to a partner',
    title: 'Credit this sale to a partner?',
    description:
      'Only this sale is credited. The commission uses the terms the partner had on the date of the sale. If a lead for this customer is reported later, this sale stays with the partner you choose. You can undo this.',
    hint: 'The partner sees this reason.',
  },
  move: {
    action: 'Move to another partner',
    title: 'Move this sale to another partner?',
    description: 'The new partner’s commission uses the terms they had on the date of the sale. You can undo this.',
    hint: 'Both partners see this reason.',
  },
} as const

/** After an earlier move, the customer's later sales are not this partner's. */
const describe = ({ state, partnerName, adjustmentId }: SaleDetail) => {
  if (state !== 'credited') return TEXTS.credit.description
  const others = adjustmentId === null ? `later sales stay with ${partnerName}` : 'other sales don’t change partner'
  return `Only this sale moves. The customer’s ${others}. ${TEXTS.move.description}`
}

/** Credits an uncredited sale, or moves a credited one. */
export const AssignSale = ({ sale }: { sale: SaleDetail }) => {
  // The sale changes while the dialog closes.
  const [opened, setOpened] = useState<SaleDetail | null>(null)
  const type = (opened ?? sale).state === 'credited' ? 'move' : 'credit'
  const { action, title } = TEXTS[type]
  const Icon = type === 'move' ? ArrowRightLeft : UserRoundCheck
  return (
    <>
      <Button onClick={() => setOpened(sale)}>
        <Icon aria-hidden /> {action}
      </Button>
      <Dialog
        open={opened !== null}
        onOpenChange={() => setOpened(null)}
        title={title}
        description={describe(opened ?? sale)}
      >
        {opened && <AssignForm sale={opened} type={type} onDone={() => setOpened(null)} />}
      </Dialog>
    </>
  )
}

type FormProps = { sale: SaleDetail; type: keyof typeof TEXTS; onDone: () => void }

const AssignForm = ({ sale, type, onDone }: FormProps) => {
  const { program } = useProgram()
  const adjust = useChange('post /api/programs/{programId}/adjustments', { programId: program.id })
  const [partnerId, setPartnerId] = useState<string>()
  const from = type === 'move' && sale.partnerId !== null ? { fromPartnerId: sale.partnerId } : {}
  const request = partnerId ? { type, saleId: sale.id, partnerId: Number(partnerId), ...from } : null
  const submit = (values: FormData) =>
    request &&
    adjust.mutate(
      { body: { ...request, reason: formText(values, 'reason') } },
      {
        onSuccess: ({ partnerName }) => {
          toast.done(type === 'move' ? `Sale moved to ${partnerName}.` : `Sale credited to ${partnerName}.`)
          onDone()
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Partner" error={fieldError(adjust.error, 'partnerId')}>
        {({ id, 'aria-describedby': describedBy }) => (
          <PartnerPicker
            id={id}
            aria-describedby={describedBy}
            value={partnerId}
            none="Choose a partner"
            except={sale.partnerId}
            onChange={setPartnerId}
          />
        )}
      </Field>
      <ReasonField error={adjust.error} hint={TEXTS[type].hint} />
      <MoneyPreview request={request && { ...request, reason: '' }} />
      <FormError error={adjust.error} fields={['reason', 'partnerId']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={adjust.isPending} disabled={!request}>
          {type === 'move' ? 'Move sale' : 'Credit sale'}
        </Button>
      </div>
    </Form>
  )
}
