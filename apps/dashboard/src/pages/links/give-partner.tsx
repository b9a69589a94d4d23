import type { ReferralLink } from '@tributary/contract'
import { useState } from 'react'
import { useChangeLink } from '~/api/links.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'

type Props = { link: ReferralLink | null; onClose: () => void }

/** For a link that was made before it was known whose it is. */
export const GivePartner = ({ link, onClose }: Props) => (
  <Dialog
    open={link !== null}
    onOpenChange={onClose}
    title={`Whose link is ${link?.aff}?`}
    description="From then on its clicks are counted. A link stays with the partner it was given to."
  >
    {link && <GiveForm link={link} onDone={onClose} />}
  </Dialog>
)

const GiveForm = ({ link, onDone }: { link: ReferralLink; onDone: () => void }) => {
  const { program } = useProgram()
  const change = useChangeLink(program.id)
  const [partnerId, setPartnerId] = useState<string>()
  const give = () =>
    change.mutate(
      { id: link.id, partnerId: Number(partnerId) },
      {
        onSuccess: () => {
          onDone()
          toast.done(`${link.aff} has its partner.`)
        },
      },
    )
  return (
    <Form onSubmit={give} className="flex flex-col gap-4">
      <Field label="Partner" error={fieldError(change.error, 'partnerId')}>
        {(wiring) => <PartnerPicker {...wiring} none="Choose a partner" value={partnerId} onChange={setPartnerId} />}
      </Field>
      <FormError error={change.error} fields={['partnerId']} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" disabled={!partnerId} busy={change.isPending}>
          Give the link
        </Button>
      </div>
    </Form>
  )
}
