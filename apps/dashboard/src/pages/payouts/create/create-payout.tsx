import { useNavigate } from '@tanstack/react-router'
import type { Payout, PayoutPreview } from '@tributary/contract'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { formatTotals, isReady } from '../totals.ts'
import { LABEL_FIELDS, LabelFields, NO_LABELS, toLabels } from './label-fields.tsx'
import { isLegalEmpty, LEGAL_FIELDS, LegalFields, NO_LEGAL_TEXTS, toLegalDetails } from './legal-fields.tsx'
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
  const legal = useMissingLegalDetails()
  const verb = draftId === undefined ? 'Create' : 'Confirm'
  const setOpen = (next: boolean) => {
    setChosen(null)
    setLabels(NO_LABELS)
    create.reset()
    legal.reset()
    onOpenChange(next)
  }
  const confirm = () => {
    if (isEmpty) return
    legal.save(() => create.mutate({ body: { ...choiceOf(due, excluded), ...toLabels(labels) } }))
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title={isEmpty ? `${verb} payout` : `${verb} payout of ${formatTotals(included)}?`}
      confirm={isEmpty ? `${verb} payout` : `${verb} payout of ${formatTotals(included)}`}
      busy={create.isPending || legal.isSaving}
      disabled={isEmpty}
      error={legal.error ?? create.error}
      fields={[...LABEL_FIELDS, ...LEGAL_FIELDS]}
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
      {legal.isMissing && <LegalFields texts={legal.texts} onChange={legal.setTexts} error={legal.error} />}
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

/** The merchant's legal details, which statements need, until they are entered. */
const useMissingLegalDetails = () => {
  const { program, may } = useProgram()
  const details = useCall('get /api/programs/{programId}/legal-details', { programId: program.id })
  const set = useChange('put /api/programs/{programId}/legal-details', { programId: program.id }, { changes: [] })
  const [texts, setTexts] = useState(NO_LEGAL_TEXTS)
  const isMissing = details.data === null && may('program:update')
  return {
    isMissing,
    texts,
    setTexts,
    error: set.error,
    isSaving: set.isPending,
    reset: () => {
      setTexts(NO_LEGAL_TEXTS)
      set.reset()
    },
    /** Calls `next` once what was entered is saved. */
    save: (next: () => void) => {
      if (!isMissing || isLegalEmpty(texts)) return next()
      set.mutate({ body: toLegalDetails(texts) }, { onSuccess: next })
    },
  }
}

/** Names the partners on the shorter side, to keep the request small. */
const choiceOf = (due: PayoutPreview, excluded: number[]) => {
  const ids = [...new Set(due.map(({ partnerId }) => partnerId))]
  const partnerIds = ids.filter((id) => !excluded.includes(id))
  const excludePartnerIds = ids.filter((id) => excluded.includes(id))
  return partnerIds.length < excludePartnerIds.length ? { partnerIds } : { excludePartnerIds }
}
