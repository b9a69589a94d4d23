import { type PortalLink, useCreatePortalLink } from '~/api/portal.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { AFF_RULE, LinkForm, type LinkFormText } from '../links/link-form.tsx'
import { usePartnership } from './portal-context.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (link: PortalLink) => void }

export const CreatePortalLink = ({ open, onOpenChange, onCreated }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Create link">
    <PortalLinkForm
      onDone={(link) => {
        onOpenChange(false)
        onCreated(link)
      }}
    />
  </Dialog>
)

const TEXT: LinkFormText = {
  aff: {
    label: 'Link code',
    hint: `Identifies the link in its URL. ${AFF_RULE} Generated if empty.`,
  },
  submit: 'Create link',
}

const PortalLinkForm = ({ onDone }: { onDone: (link: PortalLink) => void }) => {
  const { programId, websites, landingPages } = usePartnership()
  const create = useCreatePortalLink(programId)
  return (
    <LinkForm
      create={create}
      toRequest={(body) => ({ body })}
      text={TEXT}
      websites={websites}
      landingPages={landingPages}
      isPageRequired={websites.length === 0}
      onDone={onDone}
    />
  )
}
