import { usePartners } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Select } from '~/components/field.tsx'

type Props = { value: string | undefined; onChange: (partnerId: string | undefined) => void }

export const PartnerFilter = ({ value = '', onChange }: Props) => {
  const { program } = useProgram()
  const partners = usePartners(program.id, { pageSize: 200 })
  return (
    <Select
      aria-label="Partner"
      className="w-44"
      value={value}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">All partners</option>
      {partners.data?.data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
