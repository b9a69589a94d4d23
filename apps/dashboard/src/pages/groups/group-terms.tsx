import type { Group } from '@tributary/contract'
import { useChangeReward, useRemoveTerms } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { toRequest } from '../settings/rewards/draft.ts'
import { PreviewPanel } from '../settings/rewards/preview-panel.tsx'
import { RewardFields } from '../settings/rewards/reward-fields.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'
import { useDraft } from '../settings/rewards/use-draft.ts'

type Props = { group: Group | null; onClose: () => void }

/** Same fields and preview as the program's reward, for one group. */
export const GroupTerms = ({ group, onClose }: Props) => (
  <Drawer
    open={group !== null}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title={`Reward terms for ${group?.name ?? ''}`}
    description={
      group?.reward.own ? `Current: ${describeReward(group.reward)}.` : 'Currently the same as the default group.'
    }
  >
    {group && <TermsForm group={group} onDone={onClose} />}
  </Drawer>
)

const TermsForm = ({ group, onDone }: { group: Group; onDone: () => void }) => {
  const { program } = useProgram()
  const change = useChangeReward(program.id, { groupId: group.id })
  const remove = useRemoveTerms(program.id, { groupId: group.id })
  const { draft, update } = useDraft(group.reward)
  const request = toRequest(draft, program.currency)
  const done = (text: string) => {
    toast.done(text)
    onDone()
  }
  const submit = () =>
    change.mutate(
      { ...request, replaces: group.reward.version },
      { onSuccess: (saved) => done(`Reward terms saved for ${group.name}: ${describeReward(saved)}.`) },
    )
  const inherit = () =>
    remove.mutate(undefined, { onSuccess: () => done(`${group.name} now has the terms of the default group.`) })
  return (
    <div className="flex flex-col gap-6">
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <RewardFields draft={draft} currency={program.currency} onChange={update} />
        <p className="text-faint text-xs">
          Applies to new leads and sales. Partners with custom terms keep them, and past commissions don’t change.
        </p>
        <FormError error={change.error ?? remove.error} />
        <div className="flex flex-wrap justify-end gap-2">
          {group.reward.own && (
            <Button look="quiet" busy={remove.isPending} onClick={inherit}>
              Use default group’s terms
            </Button>
          )}
          <Button type="submit" look="primary" busy={change.isPending}>
            Save reward terms
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
