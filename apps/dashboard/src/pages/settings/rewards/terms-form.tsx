import type { RewardAnswer } from '@tributary/contract'
import type { ReactNode } from 'react'
import { type RewardOwner, useChangeReward } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { HoldNotice } from '~/pages/holds/hold-notice.tsx'
import { type Draft, isComplete, toRequest } from './draft.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { RewardFields } from './reward-fields.tsx'
import { describeReward } from './reward-text.ts'
import { refusalOf } from './rules/refusal.ts'
import { SalePreview } from './sale-preview.tsx'
import { useDraft } from './use-draft.ts'
import { useSalePreview } from './use-sale-preview.ts'

type Props = {
  /** Whose terms they are. */
  owner: RewardOwner
  reward: RewardAnswer
  save: string
  /** Names what was saved, as in "Custom terms saved for Maya". */
  saved: string
  onSaved: () => void
  note?: string
  /** Next to the button that saves, with its error. */
  more?: { button: ReactNode; error: unknown }
}

const whoseCommissions = (owner: RewardOwner) => {
  if (!owner) return 'of all partners'
  return 'partnerId' in owner ? 'of this partner' : 'of partners in this group'
}

/** Same fields and preview as the program's reward, for one partner or group. */
export const TermsForm = ({ owner, reward, save, saved, onSaved, note, more }: Props) => {
  const { program } = useProgram()
  const change = useChangeReward(program.id, owner)
  const { draft, update } = useDraft(reward)
  const request = toRequest(draft, program.currency)
  const refusal = refusalOf(change.error)
  const preview = useSalePreview(request)
  const warnings = (isComplete(request) && preview.data?.warnings) || []
  const edit = (part: Partial<Draft>) => {
    // Its place may be another rule's from now on.
    if (refusal) change.reset()
    update(part)
  }
  const submit = () =>
    change.mutate(
      { ...request, replaces: reward.version },
      {
        onSuccess: (terms) => {
          toast.done(`${saved}: ${describeReward(terms)}.`)
          onSaved()
        },
      },
    )
  return (
    <div className="flex flex-col gap-6">
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <RewardFields draft={draft} currency={program.currency} refusal={refusal} warnings={warnings} onChange={edit} />
        {request.holdDays !== reward.holdDays && <HoldNotice scope={owner ?? {}} whose={whoseCommissions(owner)} />}
        {note && <p className="text-faint text-xs">{note}</p>}
        <FormError error={change.error ?? more?.error} fields={refusal ? [refusal.field] : []} />
        <div className="flex flex-wrap justify-end gap-2">
          {more?.button}
          <Button type="submit" look="primary" busy={change.isPending}>
            {save}
          </Button>
        </div>
      </Form>
      <section className="border-line border-t pt-5">
        <h3 className="mb-4 text-section">Preview</h3>
        <div className="flex flex-col gap-4">
          <PreviewPanel reward={request} />
          <SalePreview reward={request} />
        </div>
      </section>
    </div>
  )
}
