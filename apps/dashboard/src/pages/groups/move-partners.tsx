import { FolderInput } from 'lucide-react'
import { useState } from 'react'
import { useGroups, useMovePartners } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { formatCount } from '~/components/format/format.ts'
import { BulkProgress, showOutcome } from '~/components/lists/bulk-result.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'

type Movable = { id: number; name: string; groupId: number }
/** `partners`: those of the IDs that are known. */
type Props = { ids: number[]; partners: Movable[]; onDone?: () => void; size?: 'small' }

/** A button that moves one partner, or the selected ones, to another group. */
export const MovePartners = ({ ids, partners, onDone, size }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [only] = partners
  const who = ids.length === 1 && only ? only.name : formatCount(ids.length, 'partner')
  return (
    <>
      <Button {...(size && { size })} onClick={() => setOpen(true)}>
        <FolderInput aria-hidden /> Move to group
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Move ${who} to a group`}
        description="The group’s reward terms apply to new leads and sales. Past commissions don’t change."
      >
        <MoveForm
          ids={ids}
          partners={partners}
          who={who}
          onMoved={() => {
            setOpen(false)
            onDone?.()
          }}
        />
      </Dialog>
    </>
  )
}

type FormProps = Pick<Props, 'ids' | 'partners'> & { who: string; onMoved: () => void }

const MoveForm = ({ ids, partners, who, onMoved }: FormProps) => {
  const { program } = useProgram()
  const { data: groups } = useGroups(program.id)
  const move = useMovePartners(program.id)
  const isCurrent = (id: number) => partners.length === ids.length && partners.every(({ groupId }) => groupId === id)
  const submit = (values: FormData) => {
    const groupId = Number(formText(values, 'groupId'))
    const name = groups?.data.find(({ id }) => id === groupId)?.name ?? ''
    move.mutate(
      { ids, input: groupId },
      {
        onSuccess: (outcome) => {
          if (ids.length === 1) toast.done(`${who} moved to ${name}.`)
          else showOutcome(outcome, { noun: 'partner', verb: `moved to ${name}` })
          onMoved()
        },
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Group">
        {(wiring) => (
          <Select {...wiring} name="groupId" required autoFocus defaultValue="">
            <option value="" disabled>
              Choose a group
            </option>
            {groups?.data.map(({ id, name, reward }) => (
              <option key={id} value={id} disabled={isCurrent(id)}>
                {name} ({isCurrent(id) ? 'current group' : describeReward(reward)})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <BulkProgress progress={move.progress} noun="partner" />
      <FormError error={move.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={move.isPending}>
          Move {ids.length === 1 ? 'partner' : 'partners'}
        </Button>
      </div>
    </Form>
  )
}
