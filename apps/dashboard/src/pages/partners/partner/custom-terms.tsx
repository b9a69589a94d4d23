import { useChangeReward } from '~/api/money/rewards.ts'
import type { PartnerDetail } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { toRequest } from '~/pages/settings/rewards/draft.ts'
import { PreviewPanel } from '~/pages/settings/rewards/preview-panel.tsx'
import { RewardFields } from '~/pages/settings/rewards/reward-fields.tsx'
import { describeReward } from '~/pages/settings/rewards/reward-text.ts'
import { useDraft } from '~/pages/settings/rewards/use-draft.ts'

/** Same fields and preview as the program's reward, for one partner. */
export const CustomTerms = ({ partner, onSaved }: { partner: PartnerDetail; onSaved: () => void }) => {
  const { program } = useProgram()
  const change = useChangeReward(program.id, { partnerId: partner.id })
  const { draft, update } = useDraft(partner.reward)
  const request = toRequest(draft, program.currency)
  const submit = () =>
    change.mutate(
      { ...request, replaces: partner.reward.version },
      {
        onSuccess: (saved) => {
          toast.done(`Custom terms saved for ${partner.name}: ${describeReward(saved)}.`)
          onSaved()
        },
      },
    )
  return (
    <div className="flex flex-col gap-6">
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <RewardFields draft={draft} currency={program.currency} onChange={update} />
        <FormError error={change.error} />
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={change.isPending}>
            Save custom terms
          </Button>
        </div>
      </Form>
      <section className="border-line border-t pt-5">
        <h3 className="mb-4 font-semibold text-base">Preview</h3>
        <PreviewPanel reward={request} />
      </section>
    </div>
  )
}
