import { FolderInput } from 'lucide-react'
import { useState } from 'react'
import { useGroups, useMovePartners } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { formatCount } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'

type Movable = { id: number; name: string; groupId: number }
type Props = { partners: Movable[]; onDone?: () => void; size?: 'small' }

/** A button that moves one partner, or the selected ones, to another group. */
export const MovePartners = ({ partners, onDone, size }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [only] = partners
  const who = partners.length === 1 && only ? only.name : formatCount(partners.length, 'partner')
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

type FormProps = { partners: Movable[]; who: string; onMoved: () => void }

const MoveForm = ({ partners, who, onMoved }: FormProps) => {
  const { program } = useProgram()
  const { data: groups } = useGroups(program.id)
  const move = useMovePartners(program.id)
  const isCurrent = (id: number) => partners.every(({ groupId }) => groupId === id)
  const submit = (values: FormData) => {
    const groupId = Number(formText(values, 'groupId'))
    const name = groups?.data.find(({ id }) => id === groupId)?.name ?? ''
    const partnerIds = partners.map(({ id }) => id)
    move.mutate(
      { groupId, partnerIds },
      {
        onSuccess: () => {
          toast.done(`${who} moved to ${name}.`)
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
      <FormError error={move.error} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={move.isPending}>
          Move {partners.length === 1 ? 'partner' : 'partners'}
        </Button>
      </div>
    </Form>
  )
}
