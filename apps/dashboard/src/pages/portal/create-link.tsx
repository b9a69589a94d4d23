import { type PortalLink, useCreatePortalLink } from '~/api/portal.ts'
import { Dialog } from '~/components/dialog.tsx'
import { LinkForm, type LinkWords } from '../links/link-form.tsx'
import { usePartnership } from './portal-context.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (link: PortalLink) => void }

export const CreatePortalLink = ({ open, onOpenChange, onCreated }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="New link">
    <OwnLink
      onDone={(link) => {
        onOpenChange(false)
        onCreated(link)
      }}
    />
  </Dialog>
)

const wordsFor = (websites: string[]): LinkWords => ({
  page: {
    hint: websites.length > 0 ? `A page of ${websites.join(' or ')}. Its home page if empty.` : PAGE_HINT,
    required: websites.length === 0,
    ...(websites[0] && { example: `${websites[0]}/pricing` }),
  },
  aff: {
    label: 'Name in the link',
    hint: 'A word such as your name or the place where you share it. Made up where empty.',
  },
  submit: 'Make the link',
})

const PAGE_HINT = 'The page of the program’s site that your readers should see first.'

const OwnLink = ({ onDone }: { onDone: (link: PortalLink) => void }) => {
  const { programId, websites } = usePartnership()
  const create = useCreatePortalLink(programId)
  return <LinkForm create={create} wishOf={(wish) => wish} words={wordsFor(websites)} onDone={onDone} />
}
