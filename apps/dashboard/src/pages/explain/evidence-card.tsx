import type { Step } from '@tributary/contract'
import { Card, CardHeader } from '~/components/card.tsx'
import { Parts } from './parts.tsx'

/** What a member can judge the sale by. */
export const EvidenceCard = ({ steps }: { steps: Step[] }) => {
  const evidence = steps.filter(({ kind }) => kind === 'evidence')
  if (evidence.length === 0) return null
  return (
    <Card className="pb-4">
      <CardHeader
        title="Evidence"
        description="For your own judgment. It decides nothing unless the program reviews such sales."
      />
      <ul className="mt-3 flex flex-col gap-1.5 px-5 text-sm">
        {evidence.map(({ parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several steps have the same code, and their order is fixed
          <li key={index} className="wrap-anywhere text-pretty">
            <Parts parts={parts} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
