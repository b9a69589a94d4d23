import { Gift, Pencil, Send, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { PartnerDetail } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { MenuItem } from '~/components/overlays/menu.tsx'
import { AddBonus } from '../../adjustments/bonus-dialog.tsx'
import { PartnerActions } from '../partner-actions.tsx'
import { EditPartner } from './edit-partner.tsx'
import { InvitePartner } from './invite-partner.tsx'
import { RemoveSignIn } from './remove-sign-in.tsx'
import { ViewAsPartner } from './view-as-partner.tsx'

type Name = 'edit' | 'bonus' | 'remove' | 'invite'

const choicesFor = ({ hasAccount }: PartnerDetail, mayPay: boolean) => [
  { name: 'edit' as const, icon: Pencil, label: 'Edit partner' },
  ...(mayPay ? [{ name: 'bonus' as const, icon: Gift, label: 'Add bonus' }] : []),
  ...(mayPay && hasAccount ? [{ name: 'remove' as const, icon: UserRoundX, label: 'Remove portal access' }] : []),
  { name: 'invite' as const, icon: Send, label: hasAccount ? 'Invite another person' : 'Invite to portal' },
]

/** Until the partner is approved, the header shows the decision, and the menu the rest. */
export const HeaderActions = ({ partner }: { partner: PartnerDetail }) => {
  const { may } = useProgram()
  const [opened, setOpened] = useState<Name | null>(null)
  const isApproved = partner.status === 'approved'
  const choices = choicesFor(partner, may('payout:manage')).map(({ name, icon: Icon, label }) => {
    const open = () => setOpened(name)
    const content = (
      <>
        <Icon aria-hidden /> {label}
      </>
    )
    return isApproved ? (
      <Button key={name} onClick={open}>
        {content}
      </Button>
    ) : (
      <MenuItem key={name} onSelect={open}>
        {content}
      </MenuItem>
    )
  })
  const dialog = (name: Name) => ({
    partner,
    open: opened === name,
    onOpenChange: (open: boolean) => setOpened(open ? name : null),
  })
  return (
    <>
      <ViewAsPartner partnerId={partner.id} />
      {isApproved && choices}
      <PartnerActions partner={partner} withButtons={!isApproved}>
        {!isApproved && choices}
      </PartnerActions>
      <EditPartner {...dialog('edit')} />
      <AddBonus {...dialog('bonus')} />
      <RemoveSignIn {...dialog('remove')} />
      <InvitePartner {...dialog('invite')} />
    </>
  )
}
