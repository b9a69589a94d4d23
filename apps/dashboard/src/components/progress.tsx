import { formatNumber } from './format/format.ts'

type Props = {
  label: string
  /** Null until the service reports a total. */
  progress: { done: number; total: number } | null
  /** Plural, for example "events". */
  noun: string
}

export const Progress = ({ label, progress, noun }: Props) => {
  const { done = 0, total = 0 } = progress ?? {}
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        aria-label={label}
        value={done}
        max={Math.max(total, 1)}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-series-1 [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-series-1"
      />
      <p className="text-faint text-xs tabular-nums">
        {progress ? `${formatNumber(done)} of ${formatNumber(total)} ${noun}` : `Counting ${noun}…`}
      </p>
    </div>
  )
}
