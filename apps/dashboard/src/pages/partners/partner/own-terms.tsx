import { useChangeReward } from '~/api/money/rewards.ts'
import type { PartnerDetail } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { requestOf } from '~/pages/settings/rewards/draft.ts'
import { PreviewPanel } from '~/pages/settings/rewards/preview-panel.tsx'
import { RewardFields } from '~/pages/settings/rewards/reward-fields.tsx'
import { rewardWords } from '~/pages/settings/rewards/reward-words.ts'
import { useDraft } from '~/pages/settings/rewards/use-draft.ts'

/** The same fields as the program's terms have, for one partner, with the same preview below. */
export const OwnTerms = ({ partner, onSaved }: { partner: PartnerDetail; onSaved: () => void }) => {
  const { program } = useProgram()
  const change = useChangeReward(program.id, partner.id)
  const { draft, write } = useDraft(partner.reward)
  const request = requestOf(draft, program.currency)
  const submit = () =>
    change.mutate(
      { ...request, replaces: partner.reward.version },
      {
        onSuccess: (saved) => {
          toast.done(`${partner.name} gets, from now on: ${rewardWords(saved)}.`)
          onSaved()
        },
      },
    )
  return (
    <div className="flex flex-col gap-6">
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <RewardFields draft={draft} currency={program.currency} onChange={write} />
        <FormError error={change.error} />
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={change.isPending}>
            Save terms
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
