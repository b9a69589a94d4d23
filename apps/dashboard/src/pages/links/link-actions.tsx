import type { ReferralLink } from '@tributary/contract'
import { Ban, CirclePlay, QrCode, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { shownAddress } from './share-address.ts'

type Props = { link: ReferralLink; onShare: () => void; onAssign: () => void }

export const LinkActions = ({ link, onShare, onAssign }: Props) => {
  const { program, may } = useProgram()
  const change = useChange('patch /api/programs/{programId}/links/{linkId}', { programId: program.id, linkId: link.id })
  const [isConfirming, setConfirming] = useState(false)
  const address = shownAddress({ ...link, websites: program.websites })
  const enable = () =>
    change.mutate(
      { body: { active: true } },
      { onSuccess: () => toast.done(`${address} enabled.`), onError: toast.failed },
    )
  const disable = () =>
    change.mutate(
      { body: { active: false } },
      {
        onSuccess: () => {
          setConfirming(false)
          toast.done(`${address} disabled.`)
        },
      },
    )
  return (
    <>
      <RowMenu label={`Actions for ${link.aff}`}>
        <MenuItem onSelect={onShare}>
          <QrCode aria-hidden /> Share and QR code
        </MenuItem>
        {may('partner:manage') && link.partnerId === null && (
          <MenuItem onSelect={onAssign}>
            <UserRoundPlus aria-hidden /> Assign partner
          </MenuItem>
        )}
        {may('partner:manage') &&
          (link.active ? (
            <MenuItem danger onSelect={() => setConfirming(true)}>
              <Ban aria-hidden /> Disable
            </MenuItem>
          ) : (
            <MenuItem onSelect={enable}>
              <CirclePlay aria-hidden /> Enable
            </MenuItem>
          ))}
      </RowMenu>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Disable the link ${address}?`}
        confirm="Disable link"
        danger
        busy={change.isPending}
        error={change.error}
        onConfirm={disable}
      >
        The link still opens your site, but new clicks are no longer tracked. Past commissions stay, and you can enable
        the link again.
      </ConfirmDialog>
    </>
  )
}
