import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { PartnerPicker, useOnlyPartner } from '../partners/partner-picker.tsx'
import { EARLIER_HINT, earlierText } from './earlier-payments.tsx'
import { ProcessorFields } from './processor-fields.tsx'

type Props = {
  /** Preselected. */
  partnerId?: number
  open: boolean
  onOpenChange: (open: boolean) => void
}

export const AddCode = ({ partnerId, open, onOpenChange }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Add code"
    description="Sales with this code are credited to the partner, even without a click."
  >
    <CodeForm
      preselected={partnerId === undefined ? undefined : String(partnerId)}
      onDone={() => onOpenChange(false)}
    />
  </Dialog>
)

const FIELDS = ['partnerId', 'code', 'processor', 'externalId', 'applyToEarlier']

const CodeForm = ({ preselected, onDone }: { preselected: string | undefined; onDone: () => void }) => {
  const { program, may } = useProgram()
  const only = useOnlyPartner(program.id)
  const [partnerId, setPartnerId] = useState(preselected)
  const chosen = partnerId ?? only
  const create = useChange('post /api/programs/{programId}/codes', { programId: program.id })
  const submit = (values: FormData) => {
    const [code, processor, externalId] = ['code', 'processor', 'externalId'].map((name) => formText(values, name))
    const body = {
      code: code ?? '',
      partnerId: Number(chosen),
      ...(processor && externalId && { processor, externalId }),
      ...(values.get('applyToEarlier') === 'on' && { applyToEarlier: true }),
    }
    create.mutate(
      { body },
      {
        onSuccess: (added) => {
          onDone()
          toast.done(`${added.code} now belongs to ${added.partnerName}.${earlierText(added.earlier)}`)
        },
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Partner" error={fieldError(create.error, 'partnerId')}>
        {(wiring) => <PartnerPicker {...wiring} none="Choose a partner" value={chosen} onChange={setPartnerId} />}
      </Field>
      <Field
        label="Code"
        hint="What customers enter when they pay. Capital and small letters are the same."
        error={fieldError(create.error, 'code')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="code"
            className="font-mono"
            maxLength={64}
            placeholder="SAM20"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
          />
        )}
      </Field>
      {may('payout:manage') && <Switch name="applyToEarlier" label="Credit earlier payments" hint={EARLIER_HINT} />}
      <ProcessorFields error={create.error} />
      <FormError error={create.error} fields={FIELDS} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" disabled={!chosen} busy={create.isPending}>
          Add code
        </Button>
      </div>
    </Form>
  )
}
