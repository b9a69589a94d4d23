import type { ReferralLink } from '@tributary/contract'
import { useState } from 'react'
import { useCreateLink } from '~/api/links.ts'
import { usePartners } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Dialog } from '~/components/dialog.tsx'
import { Field } from '~/components/field.tsx'
import { fieldError } from '~/components/form.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'
import { LinkForm, type LinkWish, type LinkWords } from './link-form.tsx'

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

const wordsFor = (websites: string[]): LinkWords => ({
  page: {
    required: false,
    ...(websites[0] && {
      hint: `A page of ${websites.join(' or ')}. Its home page if empty.`,
      example: `${websites[0]}/pricing`,
    }),
  },
  aff: { label: 'aff value', hint: 'The word in the address that names the link. Made up where empty.' },
  submit: 'Create link',
})

/** Where there is one partner, it is theirs; among several nobody is guessed, for a link stays with whom it was given to. */
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
    <LinkForm create={create} wishOf={wishOf} words={wordsFor(program.websites)} onDone={onDone}>
      <Field
        label="Partner"
        hint="Without a partner, clicks on the link are refused until you give it one."
        error={fieldError(create.error, 'partnerId')}
      >
        {(wiring) => <PartnerPicker {...wiring} none="No partner yet" value={chosen} onChange={setPartnerId} />}
      </Field>
    </LinkForm>
  )
}
