import type { ReferralLink } from '@tributary/contract'
import { useState } from 'react'
import { useCreateLink } from '~/api/links.ts'
import { usePartners } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'
import { AFF_RULE, LinkForm, type LinkWish, type LinkWords } from './link-form.tsx'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (link: ReferralLink) => void }

export const CreateLink = ({ open, onOpenChange, onCreated }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="New link">
    <LinkOfPartner
      onDone={(link) => {
        onOpenChange(false)
        onCreated(link)
      }}
    />
  </Dialog>
)

const WORDS: LinkWords = {
  aff: { label: 'aff value', hint: `Names the link in its address: ${AFF_RULE} Generated if empty.` },
  submit: 'Create link',
}

/** The only partner, where there is one. Among several none is preselected, because a link stays with its partner. */
const useOnlyPartner = (programId: number) => {
  const { data } = usePartners(programId, { pageSize: 2 })
  return data?.data.length === 1 ? String(data.data[0]?.id) : undefined
}

const LinkOfPartner = ({ onDone }: { onDone: (link: ReferralLink) => void }) => {
  const { program } = useProgram()
  const [partnerId, setPartnerId] = useState<string | null | undefined>(null)
  const only = useOnlyPartner(program.id)
  const chosen = partnerId === null ? only : partnerId
  const create = useCreateLink(program.id)
  const wishOf = (wish: LinkWish) => ({ ...wish, partnerId: Number(chosen) || null })
  return (
    <LinkForm create={create} wishOf={wishOf} words={WORDS} websites={program.websites} onDone={onDone}>
      <Field
        label="Partner"
        hint="Without a partner, clicks on the link are rejected."
        error={fieldError(create.error, 'partnerId')}
      >
        {(wiring) => <PartnerPicker {...wiring} none="No partner yet" value={chosen} onChange={setPartnerId} />}
      </Field>
    </LinkForm>
  )
}
