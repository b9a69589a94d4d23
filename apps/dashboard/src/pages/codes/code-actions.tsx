import type { PromotionCode } from '@tributary/contract/programs/codes'
import { ArrowLeftRight, Ban, Check, CirclePlay, History, X } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { EARLIER_HINT, earlierText } from './earlier-payments.tsx'

type Props = { code: PromotionCode; onReassign: () => void }
type Confirming = 'disable' | 'decline' | 'earlier'

export const CodeActions = ({ code, onReassign }: Props) => {
  const { program, may } = useProgram()
  const change = useChange('patch /api/programs/{programId}/codes/{codeId}', { programId: program.id, codeId: code.id })
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  const ask = (what: Confirming) => {
    change.reset()
    setConfirming(what)
  }
  const enable = (done: string) =>
    change.mutate({ body: { active: true } }, { onSuccess: () => toast.done(done), onError: toast.failed })
  const confirm = () =>
    confirming &&
    change.mutate(
      { body: confirming === 'earlier' ? { applyToEarlier: true } : { active: false } },
      {
        onSuccess: ({ earlier }) => {
          setConfirming(null)
          toast.done(`${code.code} ${DONE[confirming]}.${confirming === 'earlier' ? earlierText(earlier) : ''}`)
        },
      },
    )
  return (
    <>
      <RowMenu label={`Actions for ${code.code}`}>
        {code.requested ? (
          <>
            <MenuItem onSelect={() => enable(`${code.code} approved for ${code.partnerName}.`)}>
              <Check aria-hidden /> Approve request
            </MenuItem>
            <MenuItem danger onSelect={() => ask('decline')}>
              <X aria-hidden /> Decline request
            </MenuItem>
          </>
        ) : (
          <MenuItem onSelect={onReassign}>
            <ArrowLeftRight aria-hidden /> Reassign
          </MenuItem>
        )}
        {code.active && may('payout:manage') && (
          <MenuItem onSelect={() => ask('earlier')}>
            <History aria-hidden /> Credit earlier payments
          </MenuItem>
        )}
        {code.active && (
          <MenuItem danger onSelect={() => ask('disable')}>
            <Ban aria-hidden /> Disable
          </MenuItem>
        )}
        {!code.active && !code.requested && (
          <MenuItem onSelect={() => enable(`${code.code} enabled.`)}>
            <CirclePlay aria-hidden /> Enable
          </MenuItem>
        )}
      </RowMenu>
      {confirming && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setConfirming(null)}
          {...confirmText(confirming, code)}
          danger={confirming !== 'earlier'}
          busy={change.isPending}
          error={change.error}
          onConfirm={confirm}
        />
      )}
    </>
  )
}

const DONE: Record<Confirming, string> = {
  disable: 'disabled',
  decline: 'declined',
  earlier: 'now counts for earlier payments',
}

const confirmText = (confirming: Confirming, { code, partnerName }: PromotionCode) => {
  if (confirming === 'earlier')
    return {
      title: `Credit earlier payments with ${code} to ${partnerName}?`,
      confirm: 'Credit earlier payments',
      children: `${EARLIER_HINT} Payments that are already credited stay as they are.`,
    }
  if (confirming === 'decline')
    return {
      title: `Decline the code ${code}?`,
      confirm: 'Decline request',
      children: `${partnerName} sees that the code is disabled, and can request another one.`,
    }
  return {
    title: `Disable the code ${code}?`,
    confirm: 'Disable code',
    children: `New customers who use it are credited to no one. Customers who already used it stay with ${partnerName}, renewals included. You can enable the code again.`,
  }
}
