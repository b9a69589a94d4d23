import type { PartnerDetail } from '@tributary/contract'
import { Clock, Eye, Gift, type LucideIcon, Pencil, Send, UserRoundX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { MenuItem } from '~/components/overlays/menu.tsx'
import { PartnerActions } from '../partner-actions.tsx'
import type { PartnerDialog } from './partner-dialogs.tsx'
import { useViewAsPartner } from './view-as-partner.ts'

const PartnerDialogs = lazy(() =>
  import('./partner-dialogs.tsx').then(({ PartnerDialogs }) => ({ default: PartnerDialogs })).catch(rethrowLoadError),
)

type Choice = { name: PartnerDialog | 'view'; icon: LucideIcon; label: string }
type May = { mayPay: boolean; mayView: boolean }

/** The first one that a member needs for this partner is the primary action. */
const choicesFor = (
  { hasAccount, invitedUntil, balances, status }: PartnerDetail,
  { mayPay, mayView }: May,
): Choice[] => {
  const invite: Choice = {
    name: 'invite',
    icon: Send,
    label: hasAccount ? 'Invite another person' : invitedUntil ? 'Invite again' : 'Invite to portal',
  }
  const isHeld = status === 'approved' && balances.some(({ heldCents }) => heldCents > 0)
  return [
    ...(hasAccount ? [] : [invite]),
    ...(mayView ? [{ name: 'view' as const, icon: Eye, label: 'View as partner' }] : []),
    { name: 'edit', icon: Pencil, label: 'Edit partner' },
    ...(mayPay ? [{ name: 'bonus' as const, icon: Gift, label: 'Add bonus' }] : []),
    ...(mayPay && isHeld ? [{ name: 'release' as const, icon: Clock, label: 'Release held commissions' }] : []),
    ...(hasAccount ? [invite] : []),
    ...(mayPay && hasAccount ? [{ name: 'remove' as const, icon: UserRoundX, label: 'Remove portal access' }] : []),
  ]
}

/** One primary action, and a menu with the rest. Until the partner is approved, the primary action is the decision. */
export const HeaderActions = ({ partner }: { partner: PartnerDetail }) => {
  const { may, workspace } = useProgram()
  const [opened, setOpened] = useState<PartnerDialog | null>(null)
  const [areNeeded, setNeeded] = useState(false)
  const view = useViewAsPartner(partner.id)
  const isApproved = partner.status === 'approved'
  const choices = choicesFor(partner, { mayPay: may('payout:manage'), mayView: workspace.role === 'owner' })
  const open = (name: Choice['name']) => {
    if (name === 'view') return view.open()
    setNeeded(true)
    setOpened(name)
  }
  const [primary, ...rest] = choices
  return (
    <>
      {isApproved && primary && (
        <Button look="primary" busy={view.isPending} onClick={() => open(primary.name)}>
          <primary.icon aria-hidden /> {primary.label}
        </Button>
      )}
      <PartnerActions partner={partner} withButtons={!isApproved}>
        {(isApproved ? rest : choices).map(({ name, icon: Icon, label }) => (
          <MenuItem key={name} onSelect={() => open(name)}>
            <Icon aria-hidden /> {label}
          </MenuItem>
        ))}
      </PartnerActions>
      {areNeeded && (
        <Suspense>
          <PartnerDialogs partner={partner} opened={opened} onOpenChange={setOpened} />
        </Suspense>
      )}
    </>
  )
}
