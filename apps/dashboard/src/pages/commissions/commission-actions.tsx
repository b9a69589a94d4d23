import { useRouter } from '@tanstack/react-router'
import type { CommissionRow } from '@tributary/contract'
import { Ban, Check, MessageCircleQuestionMark, Undo2, UserRound, X } from 'lucide-react'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { UndoDialog } from '../adjustments/undo-dialog.tsx'
import { undoLabel } from '../adjustments/undo-text.ts'
import { type Decision, ReviewDialog } from './review-dialog.tsx'
import { isVoidable, VoidDialog } from './void-dialog.tsx'

export const CommissionActions = ({ commission }: { commission: CommissionRow }) => {
  const { program, may } = useProgram()
  const { history } = useRouter()
  const [decision, setDecision] = useState<Decision | null>(null)
  const { id, partnerId, partnerName, saleId, leadId, state } = commission
  const open = (path: string) => history.push(`/programs/${program.id}/${path}`)
  const mayDecide = state === 'review' && may('payout:manage')
  const mayView = may('tracking:read')
  // For a commission in review, rejecting does the same.
  const mayVoid = isVoidable(commission) && state !== 'review' && may('payout:manage')
  const [isVoiding, setVoiding] = useState(false)
  const { adjustment } = commission
  const mayUndo = adjustment !== null && !adjustment.reversed && may('payout:manage')
  const [isUndoing, setUndoing] = useState(false)
  if (!mayView && !mayDecide && !mayVoid && !mayUndo) return null
  return (
    <>
      <RowMenu label={`Actions for commission ${id}`}>
        {mayDecide && (
          <>
            <MenuItem onSelect={() => setDecision('released')}>
              <Check aria-hidden /> Approve
            </MenuItem>
            <MenuItem danger onSelect={() => setDecision('rejected')}>
              <X aria-hidden /> Reject
            </MenuItem>
          </>
        )}
        {mayView && (
          <>
            {(saleId !== null || leadId !== null) && (
              <MenuItem onSelect={() => open(saleId === null ? `sales/leads/${leadId}` : `sales/${saleId}`)}>
                <MessageCircleQuestionMark aria-hidden /> Check attribution
              </MenuItem>
            )}
            <MenuItem onSelect={() => open(`partners/${partnerId}`)}>
              <UserRound aria-hidden /> {partnerName}
            </MenuItem>
          </>
        )}
        {mayUndo && (
          <MenuItem onSelect={() => setUndoing(true)}>
            <Undo2 aria-hidden /> {undoLabel(adjustment.type)}
          </MenuItem>
        )}
        {mayVoid && (
          <MenuItem danger onSelect={() => setVoiding(true)}>
            <Ban aria-hidden /> Void commission
          </MenuItem>
        )}
      </RowMenu>
      <ReviewDialog commission={commission} decision={decision} onClose={() => setDecision(null)} />
      {mayUndo && (
        <UndoDialog
          adjustment={{ ...adjustment, saleId: commission.saleId }}
          open={isUndoing}
          onClose={() => setUndoing(false)}
        />
      )}
      <VoidDialog commission={commission} open={isVoiding} onClose={() => setVoiding(false)} />
    </>
  )
}
