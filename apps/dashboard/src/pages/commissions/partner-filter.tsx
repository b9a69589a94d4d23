import { useBalances } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { Select } from '~/components/field.tsx'

type Props = { value: string | undefined; onChange: (partnerId: string | undefined) => void }

/** From the balances, not from the list of partners: whoever has a commission has one, and `billing` may read them. */
export const PartnerFilter = ({ value, onChange }: Props) => {
  const { program } = useProgram()
  const { data } = useBalances(program.id, { pageSize: 200 })
  const partners = new Map(data?.data.map(({ partnerId, partnerName }) => [String(partnerId), partnerName]))
  if (value && !partners.has(value)) partners.set(value, `Partner ${value}`)
  const sorted = [...partners].toSorted(([, a], [, b]) => a.localeCompare(b))
  return (
    <Select
      aria-label="Partner"
      className="w-full sm:w-56"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">All partners</option>
      {sorted.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
