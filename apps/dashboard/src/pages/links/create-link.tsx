import type { ReferralLink } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { PartnerPicker, useOnlyPartner } from '../partners/partner-picker.tsx'
import { AFF_RULE, LinkForm, type LinkFormText, type LinkInput } from './link-form.tsx'

type Props = {
  /** Preselected. */
  partnerId?: number
  open: boolean
  onOpenChange: (open: boolean) => void
  onCreated: (link: ReferralLink) => void
}

export const CreateLink = ({ partnerId, open, onOpenChange, onCreated }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Create link">
    <PartnerLinkForm
      preselected={partnerId === undefined ? null : String(partnerId)}
      onDone={(link) => {
        onOpenChange(false)
        onCreated(link)
      }}
    />
  </Dialog>
)

const TEXT: LinkFormText = {
  aff: { label: 'Link code', hint: `Identifies the link in its URL. ${AFF_RULE} Generated if empty.` },
  submit: 'Create link',
}

type FormProps = { preselected: string | null; onDone: (link: ReferralLink) => void }

const PartnerLinkForm = ({ preselected, onDone }: FormProps) => {
  const { program } = useProgram()
  const [partnerId, setPartnerId] = useState<string | null | undefined>(preselected)
  const only = useOnlyPartner(program.id)
  const chosen = partnerId === null ? only : partnerId
  const create = useChange('post /api/programs/{programId}/links', { programId: program.id })
  const toRequest = (input: LinkInput) => ({ body: { ...input, partnerId: Number(chosen) || null } })
  return (
    <LinkForm create={create} toRequest={toRequest} text={TEXT} websites={program.websites} onDone={onDone}>
      <Field
        label="Partner"
        {...(!chosen && { hint: 'The link opens your site, but clicks aren’t tracked until it has a partner.' })}
        error={fieldError(create.error, 'partnerId')}
      >
        {(wiring) => <PartnerPicker {...wiring} none="No partner yet" value={chosen} onChange={setPartnerId} />}
      </Field>
    </LinkForm>
  )
}
