import type { PartnerDetail } from '@tributary/contract'
import { AddBonus } from '../../adjustments/bonus-dialog.tsx'
import { ReleaseHolds } from '../../holds/release-holds.tsx'
import { EditPartner } from './edit-partner.tsx'
import { InvitePartner } from './invite-partner.tsx'
import { RemoveSignIn } from './remove-sign-in.tsx'

export type PartnerDialog = 'edit' | 'bonus' | 'remove' | 'invite' | 'release'

type Props = {
  partner: PartnerDetail
  opened: PartnerDialog | null
  onOpenChange: (opened: PartnerDialog | null) => void
}

/** Loaded when the first of them opens. */
export const PartnerDialogs = ({ partner, opened, onOpenChange }: Props) => {
  const dialog = (name: PartnerDialog) => ({
    partner,
    open: opened === name,
    onOpenChange: (open: boolean) => onOpenChange(open ? name : null),
  })
  return (
    <>
      <EditPartner {...dialog('edit')} />
      <AddBonus {...dialog('bonus')} />
      <RemoveSignIn {...dialog('remove')} />
      <InvitePartner {...dialog('invite')} />
      <ReleaseHolds
        scope={{ partnerId: partner.id }}
        whose={`of ${partner.name}`}
        open={opened === 'release'}
        onOpenChange={(open) => onOpenChange(open ? 'release' : null)}
      />
    </>
  )
}
