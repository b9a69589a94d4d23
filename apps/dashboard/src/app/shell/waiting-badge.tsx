import { Badge } from '~/components/badge.tsx'
import type { WaitingHere } from './use-waiting.ts'

export const WaitingBadge = ({ waiting }: { waiting: WaitingHere | null }) =>
  waiting && (
    <span className="ml-auto">
      <Badge tone="warn">{waiting.shown}</Badge>
    </span>
  )
