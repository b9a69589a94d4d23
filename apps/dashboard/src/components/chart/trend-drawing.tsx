import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { niceTicks } from './nice-ticks.ts'
import type { TrendPoint, TrendProps } from './trend-chart.tsx'

const TICK = { fill: 'var(--faint)', fontSize: 11 }

const dotIn = (color: string) => ({ r: 3.5, fill: color, stroke: 'var(--surface)', strokeWidth: 2 })

const LETTER_PX = 7
const GAP_PX = 12

/** Based on the longest label: Recharts measures before the data arrives and would cut labels off. */
const axisWidth = (ticks: number[], format: TrendProps['formatAxis']) =>
  GAP_PX + LETTER_PX * Math.max(...ticks.map((tick) => format(tick).length), 2)

/** The running day or hour is incomplete, so it is a dot apart from the line: a morning must not look like a drop. */
const toSeries = (points: TrendPoint[]) => {
  const running = points.length > 1 ? points.findIndex(({ isRunning }) => isRunning) : -1
  return points.map((point, index) => ({
    ...point,
    complete: index === running ? null : point.value,
    running: index === running ? point.value : null,
    earlier: point.before?.value ?? null,
  }))
}

/** A line by day or hour, with the same numbers in a table for screen readers. */
export const TrendDrawing = (props: TrendProps) => (
  <figure className="flex h-full flex-col">
    <figcaption className="sr-only">{props.label}</figcaption>
    <div aria-hidden className="min-h-0 flex-1">
      <Lines {...props} />
    </div>
    {props.legend && <p className="pb-1 text-right text-faint text-xs">{props.legend}</p>}
    <ValueTable {...props} />
  </figure>
)

const Lines = ({ points, format, formatAxis, color = 'var(--series-1)' }: TrendProps) => {
  const ticks = niceTicks(Math.max(...points.flatMap(({ value, before }) => [value ?? 0, before?.value ?? 0]), 0))
  const line = { type: 'linear', stroke: color, strokeWidth: 1.75, isAnimationActive: false } as const
  const tickOf = (key: string) => points.find((point) => point.key === key)?.tick ?? ''
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 240 }}>
      <AreaChart data={toSeries(points)} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <defs>
          <linearGradient id="trend" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0%" stopColor={color} stopOpacity={0.18} />
            <stop offset="100%" stopColor={color} stopOpacity={0.01} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="key"
          tickFormatter={tickOf}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          interval="equidistantPreserveStart"
          minTickGap={40}
          tickMargin={8}
        />
        <YAxis
          width={axisWidth(ticks, formatAxis)}
          tickFormatter={formatAxis}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          ticks={ticks}
          domain={[0, ticks.at(-1) || 1]}
          interval={0}
        />
        <Tooltip
          cursor={{ stroke: 'var(--line-strong)' }}
          isAnimationActive={false}
          content={({ payload }) => <Bubble point={payload?.[0]?.payload} format={format} />}
        />
        <Area {...line} dataKey="earlier" stroke="var(--faint)" strokeWidth={1.25} fill="none" activeDot={false} />
        <Area {...line} dataKey="complete" fill="url(#trend)" activeDot={dotIn(color)} />
        <Area
          {...line}
          dataKey="running"
          fill="none"
          dot={{ r: 4, fill: color, fillOpacity: 1, strokeWidth: 0 }}
          activeDot={dotIn(color)}
        />
      </AreaChart>
    </ResponsiveContainer>
  )
}

const nameOf = ({ name, isRunning }: TrendPoint) => (isRunning ? `${name}, so far` : name)

const ValueTable = ({ label, points, format }: Pick<TrendProps, 'label' | 'points' | 'format'>) => {
  const isCompared = points.some(({ before }) => before)
  return (
    <table className="sr-only">
      <caption>{label}</caption>
      {isCompared && (
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">This period</th>
            <th scope="col">Previous period</th>
          </tr>
        </thead>
      )}
      <tbody>
        {points.map((point) => (
          <tr key={point.key}>
            <th scope="row">{nameOf(point)}</th>
            <td>{point.value === null ? 'Not yet' : format(point.value)}</td>
            {isCompared && <td>{point.before ? format(point.before.value) : ''}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Bubble = ({ point, format }: { point: TrendPoint | undefined; format: TrendProps['format'] }) =>
  point ? (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs shadow-over">
      {point.value !== null && (
        <p>
          <span className="block text-faint">{nameOf(point)}</span>
          <span className="font-semibold tabular-nums">{format(point.value)}</span>
        </p>
      )}
      {point.before && (
        <p className="mt-1 text-faint">
          {point.before.name}: <span className="tabular-nums">{format(point.before.value)}</span>
        </p>
      )}
    </div>
  ) : null
