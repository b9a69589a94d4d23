import type { ReferralLink } from '@tributary/contract'
import { Ban, CirclePlay, QrCode, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { useChangeLink } from '~/api/links.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { link: ReferralLink; onShare: () => void; onGive: () => void }

export const LinkActions = ({ link, onShare, onGive }: Props) => {
  const { program, may } = useProgram()
  const change = useChangeLink(program.id)
  const [isAsking, setAsking] = useState(false)
  const enable = () =>
    change.mutate(
      { id: link.id, active: true },
      { onSuccess: () => toast.done(`${link.aff} is active again.`), onError: toast.failed },
    )
  const disable = () =>
    change.mutate(
      { id: link.id, active: false },
      {
        onSuccess: () => {
          setAsking(false)
          toast.done(`${link.aff} is disabled.`)
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
          <MenuItem onSelect={onGive}>
            <UserRoundPlus aria-hidden /> Give it a partner
          </MenuItem>
        )}
        {may('partner:manage') &&
          (link.active ? (
            <MenuItem danger onSelect={() => setAsking(true)}>
              <Ban aria-hidden /> Disable
            </MenuItem>
          ) : (
            <MenuItem onSelect={enable}>
              <CirclePlay aria-hidden /> Enable
            </MenuItem>
          ))}
      </RowMenu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Disable ${link.aff}?`}
        confirm="Disable link"
        danger
        busy={change.isPending}
        error={change.error}
        onConfirm={disable}
      >
        From now on, clicks on this link are refused. What it earned so far stays, and you can enable it again.
      </ConfirmDialog>
    </>
  )
}
