import type { Group } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'
import { TermsForm } from '../settings/rewards/terms-form.tsx'

type Props = { group: Group | null; onClose: () => void }

export const GroupTerms = ({ group, onClose }: Props) => (
  <Drawer
    open={group !== null}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title={`Reward terms for group “${group?.name ?? ''}”`}
    description={
      group?.reward.own ? `Current: ${describeReward(group.reward)}.` : 'Currently the program’s reward terms.'
    }
  >
    {group && <GroupTermsForm group={group} onDone={onClose} />}
  </Drawer>
)

const GroupTermsForm = ({ group, onDone }: { group: Group; onDone: () => void }) => {
  const { program } = useProgram()
  const known = { programId: program.id, groupId: group.id }
  const remove = useChange('delete /api/programs/{programId}/groups/{groupId}/reward', known)
  const inherit = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          toast.done(`Group “${group.name}” now uses the program’s reward terms.`)
          onDone()
        },
      },
    )
  return (
    <TermsForm
      owner={{ groupId: group.id }}
      reward={group.reward}
      save="Save reward terms"
      saved={`Reward terms saved for group “${group.name}”`}
      onSaved={onDone}
      note="Applies to new leads and sales. Partners with custom terms keep them, and past commissions don’t change."
      more={{
        error: remove.error,
        button: group.reward.own && (
          <Button look="quiet" busy={remove.isPending} onClick={inherit}>
            Use the program’s reward terms
          </Button>
        ),
      }}
    />
  )
}
