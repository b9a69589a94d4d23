import { useGroups } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Select } from '~/components/controls/field.tsx'

type Props = { value: string | undefined; onChange: (groupId: string | undefined) => void }

/** Appears once there is more than the default group. */
export const GroupFilter = ({ value, onChange }: Props) => {
  const { program } = useProgram()
  const groups = useGroups(program.id).data?.data ?? []
  if (groups.length < 2 && !value) return null
  return (
    <Select
      aria-label="Group"
      className="w-full sm:w-40"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">All groups</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
