import type { Progress } from '~/api/replay.ts'
import { formatNumber } from '~/components/format.ts'

export const ReplayProgress = ({ progress }: { progress: Progress | null }) => {
  const { done = 0, total = 0 } = progress ?? {}
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label="Events processed"
        value={done}
        max={Math.max(total, 1)}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-faint text-xs tabular-nums">
        {progress ? `${formatNumber(done)} of ${formatNumber(total)} events` : 'Reading the events …'}
      </p>
    </div>
  )
}
