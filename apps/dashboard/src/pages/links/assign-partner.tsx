import type { ReferralLink } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'
import { shownAddress } from './share-address.ts'

type Props = { link: ReferralLink | null; onClose: () => void }

/** For links created before their partner was known. */
export const AssignPartner = ({ link, onClose }: Props) => {
  const { program } = useProgram()
  return (
    <Dialog
      open={link !== null}
      onOpenChange={onClose}
      title={`Assign a partner to ${link ? shownAddress({ ...link, websites: program.websites }) : 'the link'}`}
      description="Clicks are tracked from now on. You can’t assign the link to another partner later."
    >
      {link && <AssignForm link={link} onDone={onClose} />}
    </Dialog>
  )
}

const AssignForm = ({ link, onDone }: { link: ReferralLink; onDone: () => void }) => {
  const { program } = useProgram()
  const change = useChange('patch /api/programs/{programId}/links/{linkId}', { programId: program.id, linkId: link.id })
  const [partnerId, setPartnerId] = useState<string>()
  const assign = () =>
    change.mutate(
      { body: { partnerId: Number(partnerId) } },
      {
        onSuccess: () => {
          onDone()
          toast.done(`Partner assigned to ${shownAddress({ ...link, websites: program.websites })}.`)
        },
      },
    )
  return (
    <Form onSubmit={assign} className="flex flex-col gap-4">
      <Field label="Partner" error={fieldError(change.error, 'partnerId')}>
        {(wiring) => <PartnerPicker {...wiring} none="Choose a partner" value={partnerId} onChange={setPartnerId} />}
      </Field>
      <FormError error={change.error} fields={['partnerId']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" disabled={!partnerId} busy={change.isPending}>
          Assign partner
        </Button>
      </div>
    </Form>
  )
}
