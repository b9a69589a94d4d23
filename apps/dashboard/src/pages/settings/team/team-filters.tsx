import { Select } from '~/components/controls/field.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { ROLE_TEXT } from './role-text.ts'
import type { TeamSearch } from './team.tsx'

type Props = { search: TeamSearch; onChange: (change: Partial<TeamSearch>) => void }

export const TeamFilters = ({ search, onChange }: Props) => (
  <>
    <SearchBox
      label="Search members"
      placeholder="Name or email"
      value={search.search ?? ''}
      onSearch={(text) => onChange({ search: text || undefined })}
    />
    <Select
      aria-label="Filter by role"
      className="w-full sm:w-44"
      value={search.role ?? ''}
      onChange={(event) => onChange({ role: event.target.value || undefined })}
    >
      <option value="">All roles</option>
      {Object.entries(ROLE_TEXT).map(([role, { label }]) => (
        <option key={role} value={role}>
          {label}
        </option>
      ))}
    </Select>
  </>
)
