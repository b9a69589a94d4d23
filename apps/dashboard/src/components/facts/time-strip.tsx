import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { formatDate, formatTime } from '../format/format.ts'
import { placeMarks } from './place-marks.ts'

const LOOKS = {
  plain: 'border-line-strong bg-surface text-soft',
  winner: 'border-ink bg-ink text-surface',
  lead: 'border-line-strong bg-surface text-ink',
  sale: 'border-good-ink bg-good-soft text-good-ink',
  loss: 'border-bad-ink bg-bad-soft text-bad-ink',
}

const DATES_ONLY_MS = 3 * 86_400_000

export type Mark = { key: string; at: string; look: keyof typeof LOOKS; sign: ReactNode }
type Band = { from: string; to: string; label: string }
type Props = { label: string; marks: Mark[]; band?: Band | undefined }

/** Marks times on a line, to scale; overlapping marks move apart. */
export const TimeStrip = ({ label, marks, band }: Props) => {
  const { places, at, from, to } = placeMarks(marks.map(({ at }) => Date.parse(at)))
  // Over several days dates are enough, and two of them fit on a phone.
  const format = to - from > DATES_ONLY_MS ? formatDate : formatTime
  const formatEdge = (time: number) => format(new Date(time).toISOString())
  return (
    <div role="img" aria-label={label} className="select-none px-5">
      {band && <Shade from={at(Date.parse(band.from))} to={at(Date.parse(band.to))} />}
      <div className={clsx('relative mx-4 h-14', band && '-mt-14')}>
        <span className="absolute -inset-x-4 top-1/2 h-px bg-line-strong" />
        {marks.map(({ key, look, sign }, index) => (
          <span
            key={key}
            className={clsx(
              '-translate-x-1/2 -translate-y-1/2 absolute top-1/2 grid size-6 place-items-center rounded-full border font-medium text-xs tabular-nums ring-2 ring-surface [&_svg]:size-3',
              LOOKS[look],
              look === 'winner' && 'z-10 size-7',
            )}
            style={{ left: `${places[index]}%` }}
          >
            {sign}
          </span>
        ))}
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 text-faint text-xs">
        <span>{formatEdge(from)}</span>
        {band && <span className="max-sm:order-last max-sm:w-full">{band.label}</span>}
        {to > from && <span>{formatEdge(to)}</span>}
      </div>
    </div>
  )
}

/** A window may start long before the first mark; it is clipped at the edge. */
const Shade = ({ from, to }: { from: number; to: number }) => {
  const edge = (place: number) =>
    `calc(1rem + (100% - 2rem) * ${(Math.min(Math.max(place, -100), 200) / 100).toFixed(4)})`
  return (
    <div className="relative h-14 overflow-hidden rounded-md">
      <span
        className="absolute inset-y-2 rounded-md bg-hover"
        style={{ left: edge(from), width: `calc(${edge(to)} - ${edge(from)})` }}
      />
    </div>
  )
}
