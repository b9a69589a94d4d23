import { useNavigate } from '@tanstack/react-router'
import type { Payout, PayoutPreview } from '@tributary/contract'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { formatTotals, isReady } from '../totals.ts'
import { LABEL_FIELDS, LabelFields, NO_LABELS, toLabels } from './label-fields.tsx'
import { LeftOut, PartnerChoice } from './partner-choice.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Balances to choose from; the others are shown with the reason. */
  preview: PayoutPreview
  /** The draft that the payout confirms. */
  draftId?: number
}

/** Creates a payout of the chosen partners, directly or from a draft. */
export const CreatePayout = ({ open, onOpenChange, preview, draftId }: Props) => {
  const { program } = useProgram()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<number[] | null>(null)
  const [labels, setLabels] = useState(NO_LABELS)
  const due = preview.filter(({ excludedReason }) => excludedReason === null)
  const excluded = chosen ?? due.filter((balance) => !isReady(balance)).map(({ partnerId }) => partnerId)
  const included = due.filter(({ partnerId }) => !excluded.includes(partnerId))
  const isEmpty = included.length === 0
  const onSuccess = ({ id, lines }: Payout) => {
    setOpen(false)
    toast.done(`Payout ${id} created: ${formatTotals(lines)}.`)
    const params = { programId: String(program.id), payoutId: String(id) }
    void navigate({ to: '/programs/$programId/payouts/$payoutId', params })
  }
  const create = useCreate(draftId, onSuccess)
  const verb = draftId === undefined ? 'Create' : 'Confirm'
  const setOpen = (next: boolean) => {
    setChosen(null)
    setLabels(NO_LABELS)
    create.reset()
    onOpenChange(next)
  }
  const confirm = () => {
    if (!isEmpty) create.mutate({ body: { ...choiceOf(due, excluded), ...toLabels(labels) } })
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title={isEmpty ? `${verb} payout` : `${verb} payout of ${formatTotals(included)}?`}
      confirm={isEmpty ? `${verb} payout` : `${verb} payout of ${formatTotals(included)}`}
      busy={create.isPending}
      disabled={isEmpty}
      error={create.error}
      fields={LABEL_FIELDS}
      onConfirm={confirm}
    >
      <p>
        This creates one payment per partner and currency. You send the money yourself. Balances of partners you don’t
        select stay payable.
      </p>
      {isEmpty && <p className="font-medium">Select at least one partner.</p>}
      <PartnerChoice due={due} excluded={excluded} onChange={setChosen} />
      <LeftOut balances={preview.filter(({ excludedReason }) => excludedReason !== null)} />
      <LabelFields labels={labels} onChange={setLabels} error={create.error} />
    </ConfirmDialog>
  )
}

/** Creates a payout, or confirms a draft. */
const useCreate = (draftId: number | undefined, onSuccess: (payout: Payout) => void) => {
  const { program } = useProgram()
  const known = { programId: program.id }
  const create = useChange('post /api/programs/{programId}/payouts', known, { onSuccess })
  const draft = { ...known, draftId: draftId ?? 0 }
  const confirm = useChange('post /api/programs/{programId}/payouts/drafts/{draftId}/confirm', draft, { onSuccess })
  return draftId === undefined ? create : confirm
}

/** Names the partners on the shorter side, to keep the request small. */
const choiceOf = (due: PayoutPreview, excluded: number[]) => {
  const ids = [...new Set(due.map(({ partnerId }) => partnerId))]
  const partnerIds = ids.filter((id) => !excluded.includes(id))
  const excludePartnerIds = ids.filter((id) => excluded.includes(id))
  return partnerIds.length < excludePartnerIds.length ? { partnerIds } : { excludePartnerIds }
}
