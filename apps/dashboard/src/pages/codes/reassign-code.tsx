import type { PromotionCode } from '@tributary/contract/programs/codes'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { usePartner } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'

type Props = { code: PromotionCode | null; onClose: () => void }

export const ReassignCode = ({ code, onClose }: Props) => (
  <Dialog
    open={code !== null}
    onOpenChange={(open) => !open && onClose()}
    title={`Reassign ${code?.code ?? 'the code'}`}
    description={`Now assigned to ${code?.partnerName ?? 'another partner'}.`}
  >
    {code && <ReassignForm key={code.id} code={code} onDone={onClose} />}
  </Dialog>
)

const ReassignForm = ({ code, onDone }: { code: PromotionCode; onDone: () => void }) => {
  const { program } = useProgram()
  const change = useChange('patch /api/programs/{programId}/codes/{codeId}', { programId: program.id, codeId: code.id })
  const [partnerId, setPartnerId] = useState<string>()
  const { data: next } = usePartner(program.id, partnerId)
  const submit = () =>
    change.mutate(
      { body: { partnerId: Number(partnerId) } },
      {
        onSuccess: (changed) => {
          onDone()
          toast.done(`${changed.code} now belongs to ${changed.partnerName}.`)
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Partner" error={fieldError(change.error, 'partnerId')}>
        {(wiring) => (
          <PartnerPicker
            {...wiring}
            none="Choose a partner"
            except={code.partnerId}
            value={partnerId}
            onChange={setPartnerId}
          />
        )}
      </Field>
      <dl className="flex flex-col gap-2 rounded-lg bg-sunken px-3.5 py-3 text-sm">
        <Effect of="Payments until now">
          stay with {code.partnerName}, and so do the renewals of customers who used the code.
        </Effect>
        <Effect of="From now on">
          customers who use the code for the first time go to {next?.name ?? 'the new partner'}.
        </Effect>
      </dl>
      <FormError error={change.error} fields={['partnerId']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" disabled={!partnerId} busy={change.isPending}>
          Reassign code
        </Button>
      </div>
    </Form>
  )
}

const Effect = ({ of, children }: { of: string; children: React.ReactNode }) => (
  <div>
    <dt className="inline font-medium">{of}</dt> <dd className="inline text-pretty text-soft">{children}</dd>
  </div>
)
