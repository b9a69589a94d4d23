import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewPayout, Payout, PayoutPreview } from '~/api/money/payouts.ts'
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
  verb: 'Create' | 'Confirm'
  create: {
    mutate: (request: NewPayout, then: { onSuccess: (payout: Payout) => void }) => void
    reset: () => void
    isPending: boolean
    error: unknown
  }
}

/** Creates a payout of the chosen partners, directly or from a draft. */
export const CreatePayout = ({ open, onOpenChange, preview, verb, create }: Props) => {
  const { program } = useProgram()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<number[] | null>(null)
  const [labels, setLabels] = useState(NO_LABELS)
  const due = preview.filter(({ excludedReason }) => excludedReason === null)
  const excluded = chosen ?? due.filter((balance) => !isReady(balance)).map(({ partnerId }) => partnerId)
  const included = due.filter(({ partnerId }) => !excluded.includes(partnerId))
  const isEmpty = included.length === 0
  const setOpen = (next: boolean) => {
    setChosen(null)
    setLabels(NO_LABELS)
    create.reset()
    onOpenChange(next)
  }
  const confirm = () => {
    if (isEmpty) return
    create.mutate(
      { ...choiceOf(due, excluded), ...toLabels(labels) },
      {
        onSuccess: ({ id, lines }) => {
          setOpen(false)
          toast.done(`Payout ${id} created: ${formatTotals(lines)}.`)
          const params = { programId: String(program.id), payoutId: String(id) }
          void navigate({ to: '/programs/$programId/payouts/$payoutId', params })
        },
      },
    )
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

/** Names the partners on the shorter side, to keep the request small. */
const choiceOf = (due: PayoutPreview, excluded: number[]) => {
  const ids = [...new Set(due.map(({ partnerId }) => partnerId))]
  const partnerIds = ids.filter((id) => !excluded.includes(id))
  const excludePartnerIds = ids.filter((id) => excluded.includes(id))
  return partnerIds.length < excludePartnerIds.length ? { partnerIds } : { excludePartnerIds }
}
