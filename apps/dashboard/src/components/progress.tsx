import { formatNumber } from './format/format.ts'

type Props = {
  label: string
  /** Null until the service has counted. */
  progress: { done: number; total: number } | null
  /** What is counted, in the plural. */
  noun: string
}

/** How far something long has come. */
export const Progress = ({ label, progress, noun }: Props) => {
  const { done = 0, total = 0 } = progress ?? {}
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={label}
        value={done}
        max={Math.max(total, 1)}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-faint text-xs tabular-nums">
        {progress ? `${formatNumber(done)} of ${formatNumber(total)} ${noun}` : `Reading the ${noun} …`}
      </p>
    </div>
  )
}
