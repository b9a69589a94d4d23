import type { ReferralLink } from '@tributary/contract'
import { useCreateLink } from '~/api/links.ts'
import { usePartners } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Dialog } from '~/components/dialog.tsx'
import { Field, Select } from '~/components/field.tsx'
import { fieldError } from '~/components/form.tsx'
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

const WORDS: LinkWords = {
  page: { required: false },
  aff: { label: 'aff value', hint: 'The word in the address that names the link. Made up where empty.' },
  submit: 'Create link',
}

const LinkOfPartner = ({ onDone }: { onDone: (link: ReferralLink) => void }) => {
  const { program } = useProgram()
  const partners = usePartners(program.id, { pageSize: 200 })
  const create = useCreateLink(program.id)
  const wishOf = (wish: LinkWish, values: FormData) => ({ ...wish, partnerId: Number(values.get('partnerId')) || null })
  return (
    <LinkForm create={create} wishOf={wishOf} words={WORDS} onDone={onDone}>
      <Field
        label="Partner"
        hint="Without a partner, clicks on the link are refused until you give it one."
        error={fieldError(create.error, 'partnerId')}
      >
        {(wiring) => (
          <Select {...wiring} name="partnerId">
            {partners.data?.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value="">No partner yet</option>
          </Select>
        )}
      </Field>
    </LinkForm>
  )
}
