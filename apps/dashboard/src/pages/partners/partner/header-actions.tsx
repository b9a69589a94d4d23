import type { PartnerDetail } from '@tributary/contract'
import { Gift, Pencil, Send, UserRoundX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { MenuItem } from '~/components/overlays/menu.tsx'
import { PartnerActions } from '../partner-actions.tsx'
import type { PartnerDialog } from './partner-dialogs.tsx'
import { ViewAsPartner } from './view-as-partner.tsx'

const PartnerDialogs = lazy(() =>
  import('./partner-dialogs.tsx').then(({ PartnerDialogs }) => ({ default: PartnerDialogs })).catch(rethrowLoadError),
)

const choicesFor = ({ hasAccount }: PartnerDetail, mayPay: boolean) => [
  { name: 'edit' as const, icon: Pencil, label: 'Edit partner' },
  ...(mayPay ? [{ name: 'bonus' as const, icon: Gift, label: 'Add bonus' }] : []),
  ...(mayPay && hasAccount ? [{ name: 'remove' as const, icon: UserRoundX, label: 'Remove portal access' }] : []),
  { name: 'invite' as const, icon: Send, label: hasAccount ? 'Invite another person' : 'Invite to portal' },
]

/** Until the partner is approved, the header shows the decision, and the menu the rest. */
export const HeaderActions = ({ partner }: { partner: PartnerDetail }) => {
  const { may } = useProgram()
  const [opened, setOpened] = useState<PartnerDialog | null>(null)
  const [areNeeded, setNeeded] = useState(false)
  const isApproved = partner.status === 'approved'
  const choices = choicesFor(partner, may('payout:manage')).map(({ name, icon: Icon, label }) => {
    const open = () => {
      setNeeded(true)
      setOpened(name)
    }
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
  return (
    <>
      <ViewAsPartner partnerId={partner.id} />
      {isApproved && choices}
      <PartnerActions partner={partner} withButtons={!isApproved}>
        {!isApproved && choices}
      </PartnerActions>
      {areNeeded && (
        <Suspense>
          <PartnerDialogs partner={partner} opened={opened} onOpenChange={setOpened} />
        </Suspense>
      )}
    </>
  )
}
