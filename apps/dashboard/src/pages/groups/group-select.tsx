import type { ComponentProps } from 'react'
import { useGroups } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field, Select } from '~/components/controls/field.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'

type Props = Pick<ComponentProps<typeof Select>, 'defaultValue' | 'onChange'> & {
  hint?: string
  error?: string | null
}

/** A field for the group of a partner, with what each pays. Appears once there is more than the default group. */
export const GroupSelect = ({ hint, error = null, ...select }: Props) => {
  const { program } = useProgram()
  const groups = useGroups(program.id).data?.data ?? []
  if (groups.length < 2) return null
  return (
    <Field label="Group" {...(hint && { hint })} error={error}>
      {(wiring) => (
        <Select {...wiring} name="groupId" {...select}>
          {groups.map(({ id, name, reward }) => (
            <option key={id} value={id}>
              {name} ({describeReward(reward)})
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
