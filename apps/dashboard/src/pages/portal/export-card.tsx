import { FileDown } from 'lucide-react'
import { addressOf } from '~/api/call.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { usePartnership } from './portal-context.ts'

const FILES = [
  { name: 'statement', label: 'Balance history', note: 'Every change to your balance' },
  { name: 'earnings', label: 'Commissions', note: 'With reversals and their reasons' },
  { name: 'payouts', label: 'Payouts', note: 'Payments with dates and references' },
] as const

export const ExportCard = () => {
  const { programId } = usePartnership()
  return (
    <Card weight="quiet">
      <CardHeader
        title="Export your records"
        description="Download as CSV. For a printable statement, select Statement next to a payout."
      />
      <ul className="p-2 pt-3">
        {FILES.map(({ name, label, note }) => (
          <li key={name}>
            <a
              href={addressOf('get /api/portal/programs/{programId}/export/{file}', { programId, file: `${name}.csv` })}
              download
              className="flex items-center gap-3 rounded-md px-3 py-2 text-sm hover:bg-hover"
            >
              <FileDown aria-hidden className="size-4 shrink-0 text-faint" />
              <span className="min-w-0">
                <span className="block font-medium">{label}</span>
                <span className="block text-faint text-xs">{note}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
