import { type PortalLink, useCreatePortalLink } from '~/api/portal.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { AFF_RULE, LinkForm, type LinkWords } from '../links/link-form.tsx'
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

const WORDS: LinkWords = {
  aff: {
    label: 'Name in the link',
    hint: `Your name or the place where you share it: ${AFF_RULE} Generated if empty.`,
  },
  submit: 'Create link',
}

const OwnLink = ({ onDone }: { onDone: (link: PortalLink) => void }) => {
  const { programId, websites } = usePartnership()
  const create = useCreatePortalLink(programId)
  return (
    <LinkForm
      create={create}
      wishOf={(wish) => wish}
      words={WORDS}
      websites={websites}
      isPageRequired={websites.length === 0}
      onDone={onDone}
    />
  )
}
